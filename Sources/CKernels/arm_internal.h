#pragma once
// What the Arm kernels share: instruction sets, and one block of 32 weights as signed bytes.
#include "ck_internal.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define CK_TARGET_DOTPROD __attribute__((target("+dotprod")))
#define CK_TARGET_I8MM __attribute__((target("+dotprod+i8mm")))

/// 32 weights: weight i is scale * w[i] + minimum. The two halves may have different scales.
typedef struct ck_arm_block {
  int8x16_t w0, w1;
  float scale0, scale1, minimum;
} ck_arm_block;

/// Block `b` (of 32) of a row.
typedef ck_arm_block (*ck_arm_unpacker)(const uint8_t *row, size_t b);

// Every AArch64 core converts binary16 to binary32.
CK_INLINE float ck_arm_half(const uint8_t *p) {
  __fp16 half;
  memcpy(&half, p, sizeof half);
  return (float)half;
}

CK_INLINE uint8x16_t ck_arm_low4(uint8x16_t v) { return vandq_u8(v, vdupq_n_u8(0x0F)); }

CK_INLINE int8x16_t ck_arm_minus(uint8x16_t v, uint8_t zero) { return vreinterpretq_s8_u8(vsubq_u8(v, vdupq_n_u8(zero))); }

// 16 in each byte whose bit of the two bytes `bits` is set.
CK_INLINE uint8x16_t ck_arm_fifth(uint32_t bits) {
  const uint8x16_t mask = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  const uint8x16_t bytes = vcombine_u8(vdup_n_u8((uint8_t)bits), vdup_n_u8((uint8_t)(bits >> 8)));
  return vandq_u8(vtstq_u8(bytes, mask), vdupq_n_u8(16));
}

CK_INLINE ck_arm_block ck_arm_unpack_q4_0(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 18 * b;
  const uint8x16_t bytes = vld1q_u8(p + 2);
  const float d = ck_arm_half(p);
  const ck_arm_block r = {ck_arm_minus(ck_arm_low4(bytes), 8), ck_arm_minus(vshrq_n_u8(bytes, 4), 8), d, d, 0};
  return r;
}

CK_INLINE ck_arm_block ck_arm_unpack_q4_1(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 20 * b;
  const uint8x16_t bytes = vld1q_u8(p + 4);
  const float d = ck_arm_half(p);
  const ck_arm_block r = {
    vreinterpretq_s8_u8(ck_arm_low4(bytes)), vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4)), d, d, ck_arm_half(p + 2)};
  return r;
}

CK_INLINE ck_arm_block ck_arm_unpack_q5_0(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 22 * b;
  const uint32_t high = ck_load32(p + 2);
  const uint8x16_t bytes = vld1q_u8(p + 6);
  const float d = ck_arm_half(p);
  const ck_arm_block r = {
    ck_arm_minus(vorrq_u8(ck_arm_low4(bytes), ck_arm_fifth(high)), 16),
    ck_arm_minus(vorrq_u8(vshrq_n_u8(bytes, 4), ck_arm_fifth(high >> 16)), 16), d, d, 0};
  return r;
}

CK_INLINE ck_arm_block ck_arm_unpack_q5_1(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 24 * b;
  const uint32_t high = ck_load32(p + 4);
  const uint8x16_t bytes = vld1q_u8(p + 8);
  const float d = ck_arm_half(p);
  const ck_arm_block r = {
    vreinterpretq_s8_u8(vorrq_u8(ck_arm_low4(bytes), ck_arm_fifth(high))),
    vreinterpretq_s8_u8(vorrq_u8(vshrq_n_u8(bytes, 4), ck_arm_fifth(high >> 16))), d, d, ck_arm_half(p + 2)};
  return r;
}

CK_INLINE ck_arm_block ck_arm_unpack_q8_0(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 34 * b;
  const float d = ck_arm_half(p);
  const ck_arm_block r = {vld1q_s8((const int8_t *)p + 2), vld1q_s8((const int8_t *)p + 18), d, d, 0};
  return r;
}

// Q4_K and Q5_K: group `b % 8` of the 256 elements; two groups share 32 bytes of nibbles.
CK_INLINE ck_arm_block ck_arm_unpack_q45_k(int five, const uint8_t *row, size_t b) {
  const size_t group = b % 8;
  const uint8_t *p = row + (five ? 176 : 144) * (b / 8), *quants = p + (five ? 48 : 16) + 32 * (group / 2);
  const int8x16_t shift = vdupq_n_s8(group % 2 ? -4 : 0);
  uint8x16_t q0 = ck_arm_low4(vshlq_u8(vld1q_u8(quants), shift));
  uint8x16_t q1 = ck_arm_low4(vshlq_u8(vld1q_u8(quants + 16), shift));
  if (five) {
    // The fifth bit is bit `group` of a byte: shifted to bit 4.
    const int8x16_t place = vdupq_n_s8((int8_t)(4 - (int)group));
    const uint8x16_t sixteen = vdupq_n_u8(16);
    q0 = vorrq_u8(q0, vandq_u8(vshlq_u8(vld1q_u8(p + 16), place), sixteen));
    q1 = vorrq_u8(q1, vandq_u8(vshlq_u8(vld1q_u8(p + 32), place), sixteen));
  }
  const ck_scales packed = ck_unpack_scales(p + 4);
  const float scale = ck_arm_half(p) * (float)(uint8_t)(packed.scales >> 8 * group);
  const float minimum = -ck_arm_half(p + 2) * (float)(uint8_t)(packed.minimums >> 8 * group);
  const ck_arm_block r = {vreinterpretq_s8_u8(q0), vreinterpretq_s8_u8(q1), scale, scale, minimum};
  return r;
}

CK_INLINE ck_arm_block ck_arm_unpack_q4_K(const uint8_t *row, size_t b) { return ck_arm_unpack_q45_k(0, row, b); }

CK_INLINE ck_arm_block ck_arm_unpack_q5_K(const uint8_t *row, size_t b) { return ck_arm_unpack_q45_k(1, row, b); }

// Each half of the 256 elements: 64 bytes hold the low four bits of 128 elements, 32 bytes their high two bits.
CK_INLINE ck_arm_block ck_arm_unpack_q6_K(const uint8_t *row, size_t b) {
  const size_t part = b % 8, half = part / 4, quarter = part % 4;
  const uint8_t *p = row + 210 * (b / 8), *low = p + 64 * half + 32 * (quarter % 2), *high = p + 128 + 32 * half;
  const int8x16_t low_shift = vdupq_n_s8(quarter < 2 ? 0 : -4);
  const int8x16_t high_shift = vdupq_n_s8((int8_t)(4 - 2 * (int)quarter));
  const uint8x16_t bits45 = vdupq_n_u8(0x30);
  const uint8x16_t q0 = vorrq_u8(
    ck_arm_low4(vshlq_u8(vld1q_u8(low), low_shift)), vandq_u8(vshlq_u8(vld1q_u8(high), high_shift), bits45));
  const uint8x16_t q1 = vorrq_u8(
    ck_arm_low4(vshlq_u8(vld1q_u8(low + 16), low_shift)), vandq_u8(vshlq_u8(vld1q_u8(high + 16), high_shift), bits45));
  const float d = ck_arm_half(p + 208);
  const int8_t *scales = (const int8_t *)p + 192 + 2 * part;
  const ck_arm_block r = {
    ck_arm_minus(q0, 32), ck_arm_minus(q1, 32), d * (float)scales[0], d * (float)scales[1], 0};
  return r;
}

/// The best level of this machine: CK_SCALAR, CK_NEON_DOTPROD or CK_NEON_I8MM.
ck_level ck_arm_best_level(void);
/// The kernels of an Arm level.
const ck_kernels *ck_arm_kernels_for(ck_level level);
#endif
