#pragma once
// Rounding a block of 32 floats to 8 bits, AVX2.
#include <immintrin.h>

#include "ck_internal.h"

// One block of 32 floats as bytes; also its scale and the sums of its elements by fours.
typedef struct block32 {
  __m256i q;
  float d;
  __m256i sums4;  // eight int32, in element order
} block32;

CK_INLINE CK_TARGET_AVX2 block32 quantize32(const float *x) {
  const __m256 x0 = _mm256_loadu_ps(x), x1 = _mm256_loadu_ps(x + 8);
  const __m256 x2 = _mm256_loadu_ps(x + 16), x3 = _mm256_loadu_ps(x + 24);
  const __m256 sign = _mm256_set1_ps(-0.0f);
  const __m256 a = _mm256_max_ps(
    _mm256_max_ps(_mm256_andnot_ps(sign, x0), _mm256_andnot_ps(sign, x1)),
    _mm256_max_ps(_mm256_andnot_ps(sign, x2), _mm256_andnot_ps(sign, x3)));
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  m = _mm_max_ss(m, _mm_movehdup_ps(m));
  float largest = _mm_cvtss_f32(m);
  // Neither a maximum nor a rounded byte remembers a NaN, so a block with one gets a NaN scale: products show it.
  const __m256 unordered =
    _mm256_or_ps(_mm256_cmp_ps(x0, x1, _CMP_UNORD_Q), _mm256_cmp_ps(x2, x3, _CMP_UNORD_Q));
  if (_mm256_movemask_ps(unordered)) largest = __builtin_nanf("");

  block32 r;
  r.d = largest * (1.0f / 127.0f);
  // Below this the inverse could overflow; such a block counts as zeros. An infinite or NaN scale stays what it is,
  // and the bytes don't matter then.
  float inverse = 0.0f;
  if (largest < 1e-30f) r.d = 0.0f;
  else if (largest <= __FLT_MAX__) inverse = 127.0f / largest;
  const __m256 scale = _mm256_set1_ps(inverse);
  // |x * 127 / largest| <= 127 but for rounding, less than 127.5 by far: the nearest integer is within +-127.
  const __m256i i0 = _mm256_cvtps_epi32(_mm256_mul_ps(x0, scale)), i1 = _mm256_cvtps_epi32(_mm256_mul_ps(x1, scale));
  const __m256i i2 = _mm256_cvtps_epi32(_mm256_mul_ps(x2, scale)), i3 = _mm256_cvtps_epi32(_mm256_mul_ps(x3, scale));
  const __m256i packed = _mm256_packs_epi16(_mm256_packs_epi32(i0, i1), _mm256_packs_epi32(i2, i3));
  __m256i q = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  if (inverse == 0.0f) {
    // 0 * infinity and NaN round to the least integer: a one keeps an infinite scale visible, zeros keep zeros.
    q = r.d == 0.0f ? _mm256_setzero_si256() : _mm256_set1_epi8(1);
  }
  r.q = q;
  // Sums of four signed bytes: 1 * q in int16 pairs (at most 254), then pairs of those.
  const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), q);
  r.sums4 = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
  return r;
}

CK_INLINE CK_TARGET_AVX2 int32_t sum8(__m256i v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1));
  return _mm_cvtsi128_si32(s);
}

// Takes a block's rounded values away from it.
CK_INLINE CK_TARGET_AVX2 void rest32(const float *x, const int8_t *q, float d, float rest[32]) {
  const __m256 scale = _mm256_set1_ps(d);
  for (size_t i = 0; i < 32; i += 8) {
    const __m256 rounded = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(q + i))));
    _mm256_storeu_ps(rest + i, _mm256_fnmadd_ps(rounded, scale, _mm256_loadu_ps(x + i)));
  }
}

// What the first rounding of a block leaves, rounded as well.
CK_INLINE CK_TARGET_AVX2 block32 quantize_rest(const float *x, block32 first) {
  int8_t q[32];
  float rest[32];
  _mm256_storeu_si256((__m256i *)q, first.q);
  rest32(x, q, first.d, rest);
  return quantize32(rest);
}
