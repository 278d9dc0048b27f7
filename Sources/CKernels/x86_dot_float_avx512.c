// Dot products of plain floating-point rows with several float vectors, AVX-512: four neighbouring rows by four vectors,
// so that a loaded number serves four products. One or two vectors go row by row (AVX2), which reads memory faster; sums
// are added in the same order.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_dot_loop.h"

// Sixteen elements from `k` on, those that `mask` names; the others are not read and count as zeros.
typedef __m512 (*loader)(const uint8_t *row, size_t k, __mmask16 mask);

CK_INLINE CK_TARGET_AVX512 __m512 load_f32(const uint8_t *row, size_t k, __mmask16 mask) {
  return _mm512_maskz_loadu_ps(mask, row + 4 * k);
}

CK_INLINE CK_TARGET_AVX512 __m512 load_f16(const uint8_t *row, size_t k, __mmask16 mask) {
  return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, row + 2 * k));
}

CK_INLINE CK_TARGET_AVX512 __m512 load_bf16(const uint8_t *row, size_t k, __mmask16 mask) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, row + 2 * k));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

// As in x86_dot_float.c.
CK_INLINE CK_TARGET_AVX512 float sum_lanes(__m512 v) {
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

// `rows` (4 or 1) rows with `n` vectors; everything that is constant at the call is folded.
CK_INLINE CK_TARGET_AVX512 void dot_block(
  loader load, size_t width, size_t rows, size_t n, const uint8_t *row, size_t stride, size_t columns, const float *vectors,
  float *out, size_t out_stride
) {
  __m512 sum[4][4];
  for (size_t r = 0; r < rows; r++) {
    for (size_t t = 0; t < n; t++) sum[r][t] = _mm512_setzero_ps();
  }
#define STEP(mask)                                                                                           \
  {                                                                                                          \
    __m512 w[4];                                                                                             \
    for (size_t r = 0; r < rows; r++) w[r] = load(row + r * stride, k, mask);                                \
    for (size_t t = 0; t < n; t++) {                                                                         \
      const __m512 v = _mm512_maskz_loadu_ps(mask, vectors + t * columns + k);                               \
      for (size_t r = 0; r < rows; r++) sum[r][t] = _mm512_fmadd_ps(w[r], v, sum[r][t]);                     \
    }                                                                                                        \
  }
  size_t k = 0;
  for (; k + 16 <= columns; k += 16) {
    for (size_t r = 0; r < rows; r++) ck_prefetch(row + (rows + r) * stride + k * width);
    STEP((__mmask16)0xFFFF)
  }
  if (k < columns) STEP((__mmask16)((1u << (columns - k)) - 1))
#undef STEP
  for (size_t r = 0; r < rows; r++) {
    for (size_t t = 0; t < n; t++) out[t * out_stride + r] = sum_lanes(sum[r][t]);
  }
}

CK_INLINE CK_TARGET_AVX512 void dot_all(
  loader load, size_t width, const uint8_t *rows, size_t stride, size_t row_count, size_t columns, const float *vectors,
  size_t tokens, float *out, size_t out_stride
) {
  for (size_t r = 0; r < row_count;) {
    const size_t count = row_count - r >= 4 ? 4 : 1;
    const uint8_t *row = rows + r * stride;
    for (size_t t = 0; t < tokens; t += 4) {
      const float *v = vectors + t * columns;
      float *o = out + t * out_stride + r;
#define KERNEL                                                                                               \
  if (count == 4) dot_block(load, width, 4, CK_COUNT, row, stride, columns, v, o, out_stride);               \
  else dot_block(load, width, 1, CK_COUNT, row, stride, columns, v, o, out_stride)
      switch (tokens - t) {
        CK_DOT_CASE(1, KERNEL)
        CK_DOT_CASE(2, KERNEL)
        CK_DOT_CASE(3, KERNEL)
      default: {
        enum { CK_COUNT = 4 };
        KERNEL;
      }
      }
#undef KERNEL
    }
    r += count;
  }
}

#define DOT(NAME, WIDTH)                                                                                     \
  CK_DOT_SIGNATURE(ck_dot_##NAME##_avx2);                                                                    \
  CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx512) {                                                \
    if (tokens <= 2) {                                                                                       \
      ck_dot_##NAME##_avx2(rows, row_stride, row_count, columns, vectors, tokens, out, out_stride);          \
      return;                                                                                                \
    }                                                                                                        \
    dot_all(load_##NAME, WIDTH, (const uint8_t *)rows, row_stride, row_count, columns, (const float *)vectors, tokens, out, \
            out_stride);                                                                                     \
  }

DOT(f32, 4)
DOT(f16, 2)
DOT(bf16, 2)
#endif
