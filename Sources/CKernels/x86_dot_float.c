// Dot products of plain floating-point rows with a few float vectors, AVX2. Every product has sixteen running sums, one
// for every element of a step.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_dot_loop.h"

typedef struct float16s { __m256 a, b; } float16s;
typedef float16s (*loader)(const uint8_t *, size_t);

CK_INLINE CK_TARGET_AVX2 float16s load_f32(const uint8_t *row, size_t k) {
  const float *p = (const float *)(row + 4 * k);
  const float16s r = {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
  return r;
}

CK_INLINE CK_TARGET_AVX2 float16s load_f16(const uint8_t *row, size_t k) {
  const __m128i *p = (const __m128i *)(row + 2 * k);
  const float16s r = {_mm256_cvtph_ps(_mm_loadu_si128(p)), _mm256_cvtph_ps(_mm_loadu_si128(p + 1))};
  return r;
}

CK_INLINE CK_TARGET_AVX2 __m256 widen_bf16(__m128i v) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(v), 16));
}

CK_INLINE CK_TARGET_AVX2 float16s load_bf16(const uint8_t *row, size_t k) {
  const __m128i *p = (const __m128i *)(row + 2 * k);
  const float16s r = {widen_bf16(_mm_loadu_si128(p)), widen_bf16(_mm_loadu_si128(p + 1))};
  return r;
}

CK_INLINE CK_TARGET_AVX2 float sum_lanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

CK_INLINE CK_TARGET_AVX2 void dot_row(
  loader load, const uint8_t *row, size_t width, size_t columns, const char *vectors, size_t vector_bytes,
  size_t n, float *out, size_t out_stride
) {
  __m256 a[4], b[4];
  const float *v[4];
  for (size_t t = 0; t < n; t++) {
    a[t] = b[t] = _mm256_setzero_ps();
    v[t] = (const float *)(vectors + t * vector_bytes);
  }
#define STEP(w, x)                                                                                           \
  for (size_t t = 0; t < n; t++) {                                                                           \
    a[t] = _mm256_fmadd_ps((w).a, _mm256_loadu_ps(x), a[t]);                                                 \
    b[t] = _mm256_fmadd_ps((w).b, _mm256_loadu_ps((x) + 8), b[t]);                                           \
  }
  size_t k = 0;
  for (; k + 16 <= columns; k += 16) {
    ck_prefetch(row + width * k + CK_PREFETCH_DISTANCE);
    const float16s w = load(row, k);
    STEP(w, v[t] + k)
  }
  if (k < columns) {
    // A step of copies, with zeros behind the end.
    uint8_t weights[64] = {0};
    float x[4][16] = {{0}};
    memcpy(weights, row + width * k, width * (columns - k));
    for (size_t t = 0; t < n; t++) memcpy(x[t], v[t] + k, sizeof(float) * (columns - k));
    const float16s w = load(weights, 0);
    STEP(w, x[t])
  }
#undef STEP
  for (size_t t = 0; t < n; t++) out[t * out_stride] = sum_lanes(_mm256_add_ps(a[t], b[t]));
}

#define DOT(NAME, WIDTH)                                                                                     \
  CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx2) {                                                    \
    const size_t vector_bytes = columns * sizeof(float);                                                     \
    CK_DOT_LOOP_STRIDED(4, dot_row(load_##NAME, row, WIDTH, columns, v, vector_bytes, CK_COUNT, o, \
                                   out_stride), )                                                              \
  }

DOT(f32, 4)
DOT(f16, 2)
DOT(bf16, 2)
#endif
