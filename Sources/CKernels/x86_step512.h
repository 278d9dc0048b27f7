#pragma once
// A step of 64 elements of a row, unpacked to bytes, with what they are scaled by. AVX-512.
#include <immintrin.h>

#include "ck_internal.h"

// 64 weights. Weight = d * (q - zero) + m, where `zero` is the format's constant.
typedef struct step64 {
  __m512i q;
  __m512 d, m;  // scale and minimum of every four elements
} step64;

#define WORDS16(a, b) _mm256_setr_epi16(a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b)

// Sixteen bytes of nibbles from word `a` of `raw` on for the first block, from word `b` on for the second: low nibbles
// are the block's first sixteen elements, high nibbles the others.
CK_INLINE CK_TARGET_AVX512 __m512i nibbles(__m512i raw, short a, short b) {
  const __m512i index = _mm512_set_epi16(
    b + 7, b + 6, b + 5, b + 4, b + 3, b + 2, b + 1, b, b + 7, b + 6, b + 5, b + 4, b + 3, b + 2, b + 1, b,
    a + 7, a + 6, a + 5, a + 4, a + 3, a + 2, a + 1, a, a + 7, a + 6, a + 5, a + 4, a + 3, a + 2, a + 1, a);
  const __m512i shift = _mm512_set_epi64(
    0x0004000400040004, 0x0004000400040004, 0, 0, 0x0004000400040004, 0x0004000400040004, 0, 0);
  return _mm512_and_si512(
    _mm512_srlv_epi16(_mm512_permutexvar_epi16(index, raw), shift), _mm512_set1_epi8(0x0F));
}

CK_INLINE CK_TARGET_AVX512 __m512 halves(__m512i raw, __m256i index) {
  return _mm512_cvtph_ps(_mm256_permutexvar_epi16(index, _mm512_castsi512_si256(raw)));
}

// Blocks of step `j` of a chunk of which the first `count` blocks are there.
CK_INLINE size_t blocks_of_step(size_t j, size_t count) {
  return count <= 2 * j ? 0 : count - 2 * j < 2 ? count - 2 * j : 2;
}

// `count` is 0 to 2 blocks; bytes beyond them are not read and count as zeros.
CK_INLINE CK_TARGET_AVX512 __m512i load_blocks(const uint8_t *p, size_t block_bytes, size_t count) {
  const __mmask32 words = (__mmask32)((1ull << (block_bytes / 2 * count)) - 1);
  return _mm512_maskz_loadu_epi16(words, p);
}

CK_INLINE CK_TARGET_AVX512 step64 load_q4_0(const uint8_t *p, size_t count) {
  const __m512i raw = load_blocks(p, 18, count);
  const step64 r = {nibbles(raw, 1, 10), halves(raw, WORDS16(0, 9)), _mm512_setzero_ps()};
  return r;
}

CK_INLINE CK_TARGET_AVX512 step64 load_q4_1(const uint8_t *p, size_t count) {
  const __m512i raw = load_blocks(p, 20, count);
  const step64 r = {nibbles(raw, 2, 12), halves(raw, WORDS16(0, 10)), halves(raw, WORDS16(1, 11))};
  return r;
}

// Adds 16 to each byte whose bit is set in the blocks' two words of fifth bits.
CK_INLINE CK_TARGET_AVX512 __m512i fifth_bits(__m512i q, const uint8_t *first, size_t block_bytes, size_t count) {
  uint64_t bits = ck_load32(first);
  if (count > 1) bits |= (uint64_t)ck_load32(first + block_bytes) << 32;
  return _mm512_mask_add_epi8(q, _cvtu64_mask64(bits), q, _mm512_set1_epi8(16));
}

CK_INLINE CK_TARGET_AVX512 step64 load_q5_0(const uint8_t *p, size_t count) {
  const __m512i raw = load_blocks(p, 22, count);
  const step64 r = {
    fifth_bits(nibbles(raw, 3, 14), p + 2, 22, count), halves(raw, WORDS16(0, 11)), _mm512_setzero_ps()};
  return r;
}

CK_INLINE CK_TARGET_AVX512 step64 load_q5_1(const uint8_t *p, size_t count) {
  const __m512i raw = load_blocks(p, 24, count);
  const step64 r = {
    fifth_bits(nibbles(raw, 4, 16), p + 4, 24, count), halves(raw, WORDS16(0, 12)), halves(raw, WORDS16(1, 13))};
  return r;
}

CK_INLINE CK_TARGET_AVX512 step64 load_q8_0(const uint8_t *p, size_t count) {
  const __m256i first = _mm256_loadu_si256((const __m256i *)(p + 2));
  const __m256i second = count > 1 ? _mm256_loadu_si256((const __m256i *)(p + 36)) : _mm256_setzero_si256();
  const __m128i d0 = _mm_set1_epi16((short)ck_load16(p));
  const __m128i d1 = count > 1 ? _mm_set1_epi16((short)ck_load16(p + 34)) : _mm_setzero_si128();
  const __m512i q = _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
  // Signed bytes made unsigned: q + 128.
  const step64 r = {
    _mm512_xor_si512(q, _mm512_set1_epi8((char)0x80)), _mm512_cvtph_ps(_mm256_set_m128i(d1, d0)), _mm512_setzero_ps()};
  return r;
}

// Formats with blocks of 256, from here on: scales of 32 or 16 elements are spread over the eight or four lanes of their
// products.

CK_INLINE CK_TARGET_AVX512 __m512 spread(__m512 scales, int step, int lanes_each) {
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i index = lanes_each == 8 ? _mm512_srli_epi32(lane, 3) : _mm512_srli_epi32(lane, 2);
  return _mm512_permutexvar_ps(_mm512_add_epi32(index, _mm512_set1_epi32(step * (16 / lanes_each))), scales);
}

CK_INLINE CK_TARGET_AVX512 __m256 bytes_to_float(uint64_t bytes) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes)));
}

CK_INLINE CK_TARGET_AVX512 __m512i both_halves(const uint8_t *p) {
  return _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)p));
}

// Shifts the bytes of the lower 32 by `low` bits and those of the upper 32 by `high`; bits come in from neighbours, so
// the caller masks them.
CK_INLINE CK_TARGET_AVX512 __m512i shift_halves(__m512i v, int low, int high) {
  const __m512i count = _mm512_inserti64x4(_mm512_set1_epi16((short)low), _mm256_set1_epi16((short)high), 1);
  return _mm512_srlv_epi16(v, count);
}

// Step `j` (0 to 3) of the block of 256 at `p`. What all steps of a block need is computed in each: the compiler sees to
// it that it is done once, since callers unroll the steps.
CK_INLINE CK_TARGET_AVX512 step64 load_q45_K(int five, const uint8_t *p, int j) {
  const ck_scales packed = ck_unpack_scales(p + 4);
  const __m256 d = _mm256_set1_ps(_cvtsh_ss(ck_load16(p))), dmin = _mm256_set1_ps(-_cvtsh_ss(ck_load16(p + 2)));
  const __m512 scales = _mm512_castps256_ps512(_mm256_mul_ps(bytes_to_float(packed.scales), d));
  const __m512 minimums = _mm512_castps256_ps512(_mm256_mul_ps(bytes_to_float(packed.minimums), dmin));
  const uint8_t *quants = five ? p + 48 : p + 16;
  __m512i q = _mm512_and_si512(shift_halves(both_halves(quants + 32 * j), 0, 4), _mm512_set1_epi8(0x0F));
  if (five) {
    const __m512i bit =
      _mm512_inserti64x4(_mm512_set1_epi8((char)(1 << 2 * j)), _mm256_set1_epi8((char)(2 << 2 * j)), 1);
    q = _mm512_mask_add_epi8(q, _mm512_test_epi8_mask(both_halves(p + 16), bit), q, _mm512_set1_epi8(16));
  }
  const step64 r = {q, spread(scales, j, 8), spread(minimums, j, 8)};
  return r;
}

CK_INLINE CK_TARGET_AVX512 step64 load_q4_K(const uint8_t *p, int j) { return load_q45_K(0, p, j); }
CK_INLINE CK_TARGET_AVX512 step64 load_q5_K(const uint8_t *p, int j) { return load_q45_K(1, p, j); }

CK_INLINE CK_TARGET_AVX512 step64 load_q6_K(const uint8_t *p, int j) {
  const __m512i groups = _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(p + 192)));
  const __m512 scales = _mm512_mul_ps(_mm512_cvtepi32_ps(groups), _mm512_set1_ps(_cvtsh_ss(ck_load16(p + 208))));
  // Each half of the block: 64 bytes hold the low four bits of 128 elements, 32 bytes their high two bits.
  const __m512i low = _mm512_loadu_si512(p + 64 * (j / 2));
  const __m512i high = shift_halves(both_halves(p + 128 + 32 * (j / 2)), 0, 2);
  const __m512i low4 = _mm512_and_si512(j % 2 == 0 ? low : _mm512_srli_epi16(low, 4), _mm512_set1_epi8(0x0F));
  const __m512i high2 = j % 2 == 0 ? _mm512_slli_epi16(high, 4) : high;
  const step64 r = {
    _mm512_or_si512(low4, _mm512_and_si512(high2, _mm512_set1_epi8(0x30))), spread(scales, j, 4), _mm512_setzero_ps()};
  return r;
}

CK_INLINE CK_TARGET_AVX512 __m512i two_bits(const uint8_t *quants, int j) {
  return _mm512_and_si512(
    shift_halves(both_halves(quants + 32 * (j / 2)), 4 * (j % 2), 4 * (j % 2) + 2), _mm512_set1_epi8(3));
}

CK_INLINE CK_TARGET_AVX512 step64 load_q2_K(const uint8_t *p, int j) {
  const __m512i groups = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
  const __m512 d = _mm512_set1_ps(_cvtsh_ss(ck_load16(p + 80))), dmin = _mm512_set1_ps(-_cvtsh_ss(ck_load16(p + 82)));
  const __m512 scales =
    _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_and_si512(groups, _mm512_set1_epi32(15))), d);
  const __m512 minimums = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srli_epi32(groups, 4)), dmin);
  const step64 r = {two_bits(p + 16, j), spread(scales, j, 4), spread(minimums, j, 4)};
  return r;
}

CK_INLINE CK_TARGET_AVX512 step64 load_q3_K(const uint8_t *p, int j) {
  // Group g's scale: a nibble of byte g % 8 and two bits of byte 8 + g % 4.
  const __m512i low = _mm512_srlv_epi32(
    _mm512_cvtepu8_epi32(_mm_set1_epi64x((long long)((uint64_t)ck_load32(p + 96) | (uint64_t)ck_load32(p + 100) << 32))),
    _mm512_set_epi32(4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m512i high = _mm512_srlv_epi32(
    _mm512_cvtepu8_epi32(_mm_set1_epi32((int)ck_load32(p + 104))),
    _mm512_set_epi32(6, 6, 6, 6, 4, 4, 4, 4, 2, 2, 2, 2, 0, 0, 0, 0));
  const __m512i six = _mm512_or_si512(
    _mm512_and_si512(low, _mm512_set1_epi32(15)),
    _mm512_slli_epi32(_mm512_and_si512(high, _mm512_set1_epi32(3)), 4));
  const __m512 scales = _mm512_mul_ps(
    _mm512_cvtepi32_ps(_mm512_sub_epi32(six, _mm512_set1_epi32(32))), _mm512_set1_ps(_cvtsh_ss(ck_load16(p + 108))));
  const __m512i bit =
    _mm512_inserti64x4(_mm512_set1_epi8((char)(1 << 2 * j)), _mm256_set1_epi8((char)(2 << 2 * j)), 1);
  const __mmask64 third = _mm512_test_epi8_mask(both_halves(p), bit);
  const __m512i q = two_bits(p + 32, j);
  const step64 r = {
    _mm512_mask_add_epi8(q, third, q, _mm512_set1_epi8(4)), spread(scales, j, 4), _mm512_setzero_ps()};
  return r;
}
