// Dot products of quantised rows with a few activation vectors, AVX-512 with VNNI: formats with blocks of 32.
//
// One row after the other, front to back, so that memory is read as one stream; a row is unpacked once for up to eight
// vectors. A step is two blocks: 64 weights as unsigned bytes, whose products with the signed activations vpdpbusd adds
// by fours into sixteen int32, eight a block. These are exact: at most 4 * 255 * 127.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_dot_loop.h"
#include "x86_rest.h"

// Two blocks, unpacked. Weight = d * (q - zero) + m, where `zero` is the format's constant.
typedef struct step64 {
  __m512i q;
  __m512 d, m;  // each block's scale and minimum in its eight lanes
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

// `count` is 1 or 2 blocks; bytes beyond them are not read and count as zeros.
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

typedef step64 (*loader)(const uint8_t *, size_t);

// One row with `n` vectors; everything that is constant at the call is folded. Each vector has two sums where registers
// allow, so that an addition needn't wait for the one before.
CK_INLINE CK_TARGET_AVX512 void dot_row(
  loader load, const uint8_t *row, size_t block_bytes, float zero, int has_minimum, size_t blocks, const char *vectors,
  size_t vector_bytes, size_t columns, size_t n, float *out, size_t out_stride
) {
  enum { STEPS = 2 };
  const size_t sums = n <= 4 ? STEPS : 1, padded = ck_padded(columns);
  __m512 sum[8][STEPS], minimum[8][STEPS];
  for (size_t t = 0; t < n; t++) {
    for (size_t i = 0; i < sums; i++) sum[t][i] = minimum[t][i] = _mm512_setzero_ps();
  }
  const __m512 zeros = _mm512_set1_ps(zero);
#define STEP(b, i, count)                                                                                    \
  {                                                                                                          \
    const step64 w = load(row + (b) * block_bytes, count);                                                   \
    for (size_t t = 0; t < n; t++) {                                                                         \
      const char *v = vectors + t * vector_bytes + 32 * (b);                                                 \
      const __m512i products = _mm512_dpbusd_epi32(_mm512_setzero_si512(), w.q, _mm512_load_si512(v));       \
      __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_load_ps(v + padded));                 \
      if (zero != 0) part = _mm512_fnmadd_ps(zeros, _mm512_load_ps(v + 2 * padded), part);                   \
      sum[t][i] = _mm512_fmadd_ps(w.d, part, sum[t][i]);                                                     \
      if (has_minimum) minimum[t][i] = _mm512_fmadd_ps(w.m, _mm512_load_ps(v + 2 * padded), minimum[t][i]);  \
    }                                                                                                        \
  }
  size_t b = 0;
  for (; b + 4 <= blocks; b += 4) {
    ck_prefetch(row + b * block_bytes + CK_PREFETCH_DISTANCE);
    if (block_bytes > 18) ck_prefetch(row + b * block_bytes + CK_PREFETCH_DISTANCE + 64);
    STEP(b, 0, 2)
    STEP(b + 2, sums - 1, 2)
  }
  if (b + 2 <= blocks) {
    STEP(b, 0, 2)
    b += 2;
  }
  if (b < blocks) STEP(b, 0, 1)
#undef STEP
  for (size_t t = 0; t < n; t++) {
    __m512 total = sum[t][0];
    if (sums > 1) total = _mm512_add_ps(total, sum[t][1]);
    if (has_minimum) total = _mm512_add_ps(total, minimum[t][0]);
    if (has_minimum && sums > 1) total = _mm512_add_ps(total, minimum[t][1]);
    out[t * out_stride] = _mm512_reduce_add_ps(total);
  }
}

#define DOT(NAME, BYTES, ZERO, HAS_MINIMUM, REST_ZERO, IS_SIGNED)                                            \
  CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx512) {                                                \
    CK_DOT_LOOP(8, dot_row(load_##NAME, row, BYTES, ZERO, HAS_MINIMUM, columns / 32, v, vector_bytes, columns, \
                           CK_COUNT, o, out_stride),                                                         \
                CK_ADD_RESTS(NAME, REST_ZERO, IS_SIGNED, HAS_MINIMUM, count))                                \
  }

DOT(q4_0, 18, 8, 0, 8, 0)
DOT(q4_1, 20, 0, 1, 0, 0)
DOT(q5_0, 22, 16, 0, 16, 0)
DOT(q5_1, 24, 0, 1, 0, 0)
DOT(q8_0, 34, 128, 0, 0, 1)
#endif
