#pragma once
// One block of 32 elements of a row, unpacked to bytes, and its scale: for panels, and for the few blocks whose
// activations are multiplied twice. AVX2.
#include <immintrin.h>

#include "ck_internal.h"

CK_INLINE CK_TARGET_AVX2 float ck_half_at(const uint8_t *p) { return _cvtsh_ss(ck_load16(p)); }

CK_INLINE CK_TARGET_AVX2 __m256i ck_load_ymm(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

// Sixteen bytes of ck_nibbles: low ones are the first sixteen elements, high ones the others.
CK_INLINE CK_TARGET_AVX2 __m256i ck_nibbles(const uint8_t *p) {
  const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
  const __m256i shifted = _mm256_srlv_epi32(both, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4));
  return _mm256_and_si256(shifted, _mm256_set1_epi8(0x0F));
}

// 16 in each byte whose bit is set in the word of fifth bits.
CK_INLINE CK_TARGET_AVX2 __m256i ck_fifth_bits(uint32_t bits) {
  const __m256i index = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), index);
  const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
  const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
  return _mm256_and_si256(set, _mm256_set1_epi8(16));
}

// Block `b` (32 elements) of a row as unsigned bytes.
typedef __m256i (*ck_unpacker)(const uint8_t *row, size_t b);

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q4_0(const uint8_t *row, size_t b) { return ck_nibbles(row + 18 * b + 2); }

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q4_1(const uint8_t *row, size_t b) { return ck_nibbles(row + 20 * b + 4); }

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q5_0(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 22 * b;
  return _mm256_or_si256(ck_nibbles(p + 6), ck_fifth_bits(ck_load32(p + 2)));
}

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q5_1(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 24 * b;
  return _mm256_or_si256(ck_nibbles(p + 8), ck_fifth_bits(ck_load32(p + 4)));
}

// Signed bytes; kernels that need them unsigned flip the sign bit.
CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q8_0(const uint8_t *row, size_t b) { return ck_load_ymm(row + 34 * b + 2); }

CK_INLINE CK_TARGET_AVX2 __m256i ck_high_or_low(__m256i bytes, size_t high) {
  return _mm256_and_si256(_mm256_srl_epi16(bytes, _mm_cvtsi64_si128(high ? 4 : 0)), _mm256_set1_epi8(0x0F));
}

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q4_K(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 144 * (b / 8) + 16;
  return ck_high_or_low(ck_load_ymm(p + 32 * (b % 8 / 2)), b % 2);
}

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q5_K(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 176 * (b / 8);
  const __m256i low = ck_high_or_low(ck_load_ymm(p + 48 + 32 * (b % 8 / 2)), b % 2);
  // Bit b % 8 of each byte, moved to bit 4 by way of bit 0 (a shift of words; neighbours' bits are masked).
  const __m256i bit = _mm256_and_si256(
    _mm256_srl_epi16(ck_load_ymm(p + 16), _mm_cvtsi64_si128((long long)(b % 8))), _mm256_set1_epi8(1));
  return _mm256_or_si256(low, _mm256_slli_epi16(bit, 4));
}

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q6_K(const uint8_t *row, size_t b) {
  const size_t half = b % 8 / 4, part = b % 4;
  const uint8_t *p = row + 210 * (b / 8);
  const __m256i low = ck_high_or_low(ck_load_ymm(p + 64 * half + 32 * (part % 2)), part / 2);
  const __m256i high = _mm256_srl_epi16(ck_load_ymm(p + 128 + 32 * half), _mm_cvtsi64_si128((long long)(2 * part)));
  return _mm256_or_si256(low, _mm256_slli_epi16(_mm256_and_si256(high, _mm256_set1_epi8(3)), 4));
}

// Bits 2k and 2k + 1 of each byte (a shift of words; neighbours' bits are masked).
CK_INLINE CK_TARGET_AVX2 __m256i ck_two_bits(const uint8_t *p, size_t k) {
  return _mm256_and_si256(_mm256_srl_epi16(ck_load_ymm(p), _mm_cvtsi64_si128((long long)(2 * k))), _mm256_set1_epi8(3));
}

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q2_K(const uint8_t *row, size_t b) {
  return ck_two_bits(row + 84 * (b / 8) + 16 + 32 * (b % 8 / 4), b % 4);
}

CK_INLINE CK_TARGET_AVX2 __m256i ck_unpack_q3_K(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 110 * (b / 8);
  const __m256i bit = _mm256_and_si256(
    _mm256_srl_epi16(ck_load_ymm(p), _mm_cvtsi64_si128((long long)(b % 8))), _mm256_set1_epi8(1));
  return _mm256_or_si256(ck_two_bits(p + 32 + 32 * (b % 8 / 4), b % 4), _mm256_slli_epi16(bit, 2));
}

// A block's scale and minimum, in eight lanes of four elements each.
typedef struct ck_block_scale {
  __m256 d, m;
} ck_block_scale;
typedef ck_block_scale (*ck_scaler)(const uint8_t *row, size_t b);

CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_head_scale(const uint8_t *p, int has_minimum) {
  const ck_block_scale r = {
    _mm256_set1_ps(ck_half_at(p)), has_minimum ? _mm256_set1_ps(ck_half_at(p + 2)) : _mm256_setzero_ps()};
  return r;
}

CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q4_0(const uint8_t *row, size_t b) { return ck_head_scale(row + 18 * b, 0); }
CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q4_1(const uint8_t *row, size_t b) { return ck_head_scale(row + 20 * b, 1); }
CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q5_0(const uint8_t *row, size_t b) { return ck_head_scale(row + 22 * b, 0); }
CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q5_1(const uint8_t *row, size_t b) { return ck_head_scale(row + 24 * b, 1); }
CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q8_0(const uint8_t *row, size_t b) { return ck_head_scale(row + 34 * b, 0); }

// `p` is a block of 256; its sub-block j has a 6-bit scale and minimum in bytes 4 to 15.
CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q45_K(const uint8_t *p, size_t j) {
  const int scale = j < 4 ? p[4 + j] & 63 : (p[8 + j] & 15) | p[j] >> 6 << 4;
  const int minimum = j < 4 ? p[8 + j] & 63 : p[8 + j] >> 4 | p[4 + j] >> 6 << 4;
  const ck_block_scale r = {
    _mm256_set1_ps(ck_half_at(p) * (float)scale), _mm256_set1_ps(-ck_half_at(p + 2) * (float)minimum)};
  return r;
}

CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q4_K(const uint8_t *row, size_t b) {
  return ck_scale_q45_K(row + 144 * (b / 8), b % 8);
}

CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q5_K(const uint8_t *row, size_t b) {
  return ck_scale_q45_K(row + 176 * (b / 8), b % 8);
}

CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q6_K(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 210 * (b / 8), *scales = p + 192 + 2 * (b % 8);
  const float d = ck_half_at(p + 208);
  const __m128 low = _mm_set1_ps(d * (float)(int8_t)scales[0]), high = _mm_set1_ps(d * (float)(int8_t)scales[1]);
  const ck_block_scale r = {_mm256_set_m128(high, low), _mm256_setzero_ps()};
  return r;
}

CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q2_K(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 84 * (b / 8), *groups = p + 2 * (b % 8);
  const float d = ck_half_at(p + 80), dmin = -ck_half_at(p + 82);
  const ck_block_scale r = {
    _mm256_set_m128(_mm_set1_ps(d * (float)(groups[1] & 15)), _mm_set1_ps(d * (float)(groups[0] & 15))),
    _mm256_set_m128(_mm_set1_ps(dmin * (float)(groups[1] >> 4)), _mm_set1_ps(dmin * (float)(groups[0] >> 4)))};
  return r;
}

// Six bits of group `g`'s scale, less 32: four bits in one byte and two in another.
CK_INLINE float ck_scale_of_group_q3_K(const uint8_t *p, size_t g) {
  const int low = p[96 + g % 8] >> (g / 8 * 4) & 15, high = p[104 + g % 4] >> (g / 4 * 2) & 3;
  return (float)((low | high << 4) - 32);
}

CK_INLINE CK_TARGET_AVX2 ck_block_scale ck_scale_q3_K(const uint8_t *row, size_t b) {
  const uint8_t *p = row + 110 * (b / 8);
  const float d = ck_half_at(p + 108);
  const __m128 low = _mm_set1_ps(d * ck_scale_of_group_q3_K(p, 2 * (b % 8)));
  const __m128 high = _mm_set1_ps(d * ck_scale_of_group_q3_K(p, 2 * (b % 8) + 1));
  const ck_block_scale r = {_mm256_set_m128(high, low), _mm256_setzero_ps()};
  return r;
}
