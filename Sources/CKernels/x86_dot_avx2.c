// Dot products of quantised rows with a few activation vectors, AVX2: formats with blocks of 32.
//
// One row after the other, front to back, so that memory is read as one stream; a row is unpacked once for up to four
// vectors. vpmaddubsw multiplies unsigned weights with signed activations and adds pairs in int16: at most
// 2 * 31 * 127 = 7,874 for five bits, so nothing saturates. For eight bits see dot_row_q8_0.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_dot_loop.h"
#include "x86_rest.h"

// One block, unpacked. Weight = d * (q - zero) + m, where `zero` is the format's constant.
typedef struct step32 {
  __m256i q;
  float d, m;
} step32;

CK_INLINE CK_TARGET_AVX2 float half_at(const uint8_t *p) { return _cvtsh_ss(ck_load16(p)); }

// Sixteen bytes of nibbles: low ones are the first sixteen elements, high ones the others.
CK_INLINE CK_TARGET_AVX2 __m256i nibbles(const uint8_t *p) {
  const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
  const __m256i shifted = _mm256_srlv_epi32(both, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4));
  return _mm256_and_si256(shifted, _mm256_set1_epi8(0x0F));
}

// 16 in each byte whose bit is set in the word of fifth bits.
CK_INLINE CK_TARGET_AVX2 __m256i fifth_bits(uint32_t bits) {
  const __m256i index = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), index);
  const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
  const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
  return _mm256_and_si256(set, _mm256_set1_epi8(16));
}

CK_INLINE CK_TARGET_AVX2 step32 load_q4_0(const uint8_t *p) {
  const step32 r = {nibbles(p + 2), half_at(p), 0};
  return r;
}

CK_INLINE CK_TARGET_AVX2 step32 load_q4_1(const uint8_t *p) {
  const step32 r = {nibbles(p + 4), half_at(p), half_at(p + 2)};
  return r;
}

CK_INLINE CK_TARGET_AVX2 step32 load_q5_0(const uint8_t *p) {
  const step32 r = {_mm256_or_si256(nibbles(p + 6), fifth_bits(ck_load32(p + 2))), half_at(p), 0};
  return r;
}

CK_INLINE CK_TARGET_AVX2 step32 load_q5_1(const uint8_t *p) {
  const step32 r = {_mm256_or_si256(nibbles(p + 8), fifth_bits(ck_load32(p + 4))), half_at(p), half_at(p + 2)};
  return r;
}

CK_INLINE CK_TARGET_AVX2 float sum_lanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

typedef step32 (*loader)(const uint8_t *);

// One row with `n` vectors; everything that is constant at the call is folded.
CK_INLINE CK_TARGET_AVX2 void dot_row(
  loader load, const uint8_t *row, size_t block_bytes, float zero, int has_minimum, size_t blocks, const char *vectors,
  size_t vector_bytes, size_t columns, size_t n, float *out, size_t out_stride
) {
  // Two sums a vector where registers allow, so that an addition needn't wait for the one before.
  const size_t sums = n <= 2 ? 2 : 1;
  __m256 sum[4][2];
  float minimum[4][2];
  ck_vector v[4];
  for (size_t t = 0; t < n; t++) {
    sum[t][0] = sum[t][1] = _mm256_setzero_ps();
    minimum[t][0] = minimum[t][1] = 0;
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  const __m256i ones = _mm256_set1_epi16(1);
  const __m256 zeros = _mm256_set1_ps(zero);
#define STEP(b, i)                                                                                           \
  {                                                                                                          \
    const step32 w = load(row + (b) * block_bytes);                                                          \
    for (size_t t = 0; t < n; t++) {                                                                         \
      const __m256i q = _mm256_load_si256((const __m256i *)(v[t].q + 32 * (b)));                             \
      const __m256i products = _mm256_madd_epi16(_mm256_maddubs_epi16(w.q, q), ones);                        \
      __m256 part = _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_load_ps(v[t].d8 + 8 * (b)));          \
      if (zero != 0) part = _mm256_fnmadd_ps(zeros, _mm256_load_ps(v[t].s8 + 8 * (b)), part);                \
      sum[t][i] = _mm256_fmadd_ps(_mm256_set1_ps(w.d), part, sum[t][i]);                                     \
      if (has_minimum) minimum[t][i] += w.m * v[t].s[b];                                                     \
    }                                                                                                        \
  }
  size_t b = 0;
  for (; b + 2 <= blocks; b += 2) {
    ck_prefetch(row + b * block_bytes + CK_PREFETCH_DISTANCE);
    STEP(b, 0)
    STEP(b + 1, sums - 1)
  }
  if (b < blocks) STEP(b, 0)
#undef STEP
  for (size_t t = 0; t < n; t++) {
    const __m256 total = sums > 1 ? _mm256_add_ps(sum[t][0], sum[t][1]) : sum[t][0];
    out[t * out_stride] = sum_lanes(total) + (sums > 1 ? minimum[t][0] + minimum[t][1] : minimum[t][0]);
  }
}

// Signed bytes: |w| times the activation with w's sign. |w| <= 128 and |activation| <= 127, so a pair is at most
// 2 * 128 * 127 = 32,512 < 32,767.
CK_INLINE CK_TARGET_AVX2 void dot_row_q8_0(
  const uint8_t *row, size_t columns, const char *vectors, size_t vector_bytes, size_t n, float *out, size_t out_stride
) {
  const size_t sums = n <= 2 ? 2 : 1;
  __m256 sum[4][2];
  ck_vector v[4];
  for (size_t t = 0; t < n; t++) {
    sum[t][0] = sum[t][1] = _mm256_setzero_ps();
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  const __m256i ones = _mm256_set1_epi16(1);
#define STEP(b, i)                                                                                           \
  {                                                                                                          \
    const uint8_t *p = row + 34 * (b);                                                                       \
    ck_prefetch(p + CK_PREFETCH_DISTANCE);                                                                   \
    const __m256i w = _mm256_loadu_si256((const __m256i *)(p + 2)), size = _mm256_abs_epi8(w);               \
    const __m256 d = _mm256_set1_ps(half_at(p));                                                             \
    for (size_t t = 0; t < n; t++) {                                                                         \
      const __m256i q = _mm256_load_si256((const __m256i *)(v[t].q + 32 * (b)));                             \
      const __m256i products = _mm256_madd_epi16(_mm256_maddubs_epi16(size, _mm256_sign_epi8(q, w)), ones);  \
      const __m256 part = _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_load_ps(v[t].d8 + 8 * (b)));    \
      sum[t][i] = _mm256_fmadd_ps(d, part, sum[t][i]);                                                       \
    }                                                                                                        \
  }
  size_t b = 0;
  for (; b + 2 <= columns / 32; b += 2) {
    STEP(b, 0)
    STEP(b + 1, sums - 1)
  }
  if (b < columns / 32) STEP(b, 0)
#undef STEP
  for (size_t t = 0; t < n; t++) {
    out[t * out_stride] = sum_lanes(sums > 1 ? _mm256_add_ps(sum[t][0], sum[t][1]) : sum[t][0]);
  }
}

#define DOT(NAME, BYTES, ZERO, HAS_MINIMUM)                                                                  \
  CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx2) {                                                    \
    CK_DOT_LOOP(4, dot_row(load_##NAME, row, BYTES, ZERO, HAS_MINIMUM, columns / 32, v, vector_bytes, columns, \
                           CK_COUNT, o, out_stride),                                                         \
                CK_ADD_RESTS(NAME, ZERO, 0, HAS_MINIMUM, count))                                             \
  }

DOT(q4_0, 18, 8, 0)
DOT(q4_1, 20, 0, 1)
DOT(q5_0, 22, 16, 0)
DOT(q5_1, 24, 0, 1)

CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_q8_0_avx2) {
  CK_DOT_LOOP(4, dot_row_q8_0(row, columns, v, vector_bytes, CK_COUNT, o, out_stride),
              CK_ADD_RESTS(q8_0, 0, 1, 0, count))
}
#endif
