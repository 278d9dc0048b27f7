#pragma once
// The scales and minimums of a chunk of 256 elements of a row, in the places of `ck_place`. AVX2.
#include <immintrin.h>

#include "ck_internal.h"

// Formats with blocks of 32: a binary16 scale, and maybe a binary16 minimum behind it, at the head of each block.

// The 16-bit words at `offset` of the blocks of a chunk, the even ones first. Of `count` blocks; the others count as zeros.
CK_INLINE CK_TARGET_AVX2 __m128i ck_head_words(const uint8_t *p, size_t block_bytes, size_t offset, size_t count) {
#define CK_WORD(i) ((uint64_t)((i) < count ? ck_load16(p + (i) * block_bytes + offset) : 0))
  const uint64_t even = CK_WORD(0) | CK_WORD(2) << 16 | CK_WORD(4) << 32 | CK_WORD(6) << 48;
  const uint64_t odd = CK_WORD(1) | CK_WORD(3) << 16 | CK_WORD(5) << 32 | CK_WORD(7) << 48;
#undef CK_WORD
  return _mm_set_epi64x((long long)odd, (long long)even);
}

// Formats with blocks of 256, a chunk each: small integers, a byte for every half block, times a binary16 number.
typedef struct ck_byte_scales {
  __m128i scales, minimums;  // signed bytes
  float d, dmin;             // weight = d * scale * q - dmin * minimum
} ck_byte_scales;
typedef ck_byte_scales (*ck_byte_scaler)(const uint8_t *p);

CK_INLINE CK_TARGET_AVX2 float ck_scale_at(const uint8_t *p) { return _cvtsh_ss(ck_load16(p)); }

// Byte i belongs to half block i, or for eight bytes to block i: put in their places.
CK_INLINE CK_TARGET_AVX2 __m128i ck_placed_halves(__m128i bytes) {
  return _mm_shuffle_epi8(bytes, _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

CK_INLINE CK_TARGET_AVX2 __m128i ck_placed_blocks(uint64_t bytes) {
  return _mm_shuffle_epi8(
    _mm_cvtsi64_si128((long long)bytes), _mm_setr_epi8(0, 2, 4, 6, 0, 2, 4, 6, 1, 3, 5, 7, 1, 3, 5, 7));
}

CK_INLINE CK_TARGET_AVX2 ck_byte_scales ck_scales_q45_K(const uint8_t *p) {
  const ck_scales packed = ck_unpack_scales(p + 4);
  const ck_byte_scales r = {
    ck_placed_blocks(packed.scales), ck_placed_blocks(packed.minimums), ck_scale_at(p), ck_scale_at(p + 2)};
  return r;
}

CK_INLINE CK_TARGET_AVX2 ck_byte_scales ck_scales_q4_K(const uint8_t *p) { return ck_scales_q45_K(p); }
CK_INLINE CK_TARGET_AVX2 ck_byte_scales ck_scales_q5_K(const uint8_t *p) { return ck_scales_q45_K(p); }

CK_INLINE CK_TARGET_AVX2 ck_byte_scales ck_scales_q6_K(const uint8_t *p) {
  const __m128i groups = _mm_loadu_si128((const __m128i *)(p + 192));
  const ck_byte_scales r = {ck_placed_halves(groups), _mm_setzero_si128(), ck_scale_at(p + 208), 0};
  return r;
}

CK_INLINE CK_TARGET_AVX2 ck_byte_scales ck_scales_q2_K(const uint8_t *p) {
  const __m128i groups = ck_placed_halves(_mm_loadu_si128((const __m128i *)p)), low4 = _mm_set1_epi8(15);
  const ck_byte_scales r = {
    _mm_and_si128(groups, low4), _mm_and_si128(_mm_srli_epi16(groups, 4), low4), ck_scale_at(p + 80), ck_scale_at(p + 82)};
  return r;
}

// Group g's scale less 32: a nibble of byte g % 8 and two bits of byte 8 + g % 4.
CK_INLINE CK_TARGET_AVX2 ck_byte_scales ck_scales_q3_K(const uint8_t *p) {
  const uint64_t low = (uint64_t)ck_load32(p + 96) | (uint64_t)ck_load32(p + 100) << 32, high = ck_load32(p + 104);
  const __m128i nibbles =
    _mm_and_si128(_mm_set_epi64x((long long)(low >> 4), (long long)low), _mm_set1_epi8(15));
  const __m128i twos = _mm_and_si128(
    _mm_set_epi64x((long long)(high >> 4 | high >> 6 << 32), (long long)(high | high >> 2 << 32)), _mm_set1_epi8(3));
  const __m128i six = _mm_or_si128(nibbles, _mm_slli_epi16(twos, 4));
  const ck_byte_scales r = {
    ck_placed_halves(_mm_sub_epi8(six, _mm_set1_epi8(32))), _mm_setzero_si128(), ck_scale_at(p + 108), 0};
  return r;
}
