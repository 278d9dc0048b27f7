// Activations rounded to 8 bits in blocks of 32: the AVX2 functions serve every x86-64 level.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

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

CK_TARGET_AVX2 void ck_quantize_vector_avx2(const float *x, size_t columns, void *vector) {
  const ck_vector v = ck_vector_at(vector, columns);
  int8_t *q = (int8_t *)v.q, *rest_q = (int8_t *)v.rest_q;
  float *d8 = (float *)v.d8, *s8 = (float *)v.s8, *d = (float *)v.d, *s = (float *)v.s;
  const size_t blocks = columns / 32, padded_blocks = ck_padded(columns) / 32;
  for (size_t b = 0; b < padded_blocks; b++) {
    block32 r = {_mm256_setzero_si256(), 0, _mm256_setzero_si256()};
    if (b < blocks) r = quantize32(x + 32 * b);
    const __m256 scale = _mm256_set1_ps(r.d);
    _mm256_storeu_si256((__m256i *)(q + 32 * b), r.q);
    _mm256_storeu_ps(d8 + 8 * b, scale);
    _mm256_storeu_ps(s8 + 8 * b, _mm256_mul_ps(scale, _mm256_cvtepi32_ps(r.sums4)));
    d[b] = r.d;
    s[b] = r.d * (float)sum8(r.sums4);
  }
  float roots = 0;
  for (size_t b = 0; b < blocks; b++) roots += __builtin_sqrtf(d[b]);
  const float mean = roots / (float)blocks, threshold = CK_REST_FACTOR * mean * mean;
  uint32_t count = 0;
  for (size_t b = 0; b < blocks; b++) {
    // Not so for an infinite or NaN scale: the threshold is one as well.
    if (!(d[b] > threshold)) continue;
    float rest[32];
    rest32(x + 32 * b, q + 32 * b, d[b], rest);
    const block32 r = quantize32(rest);
    _mm256_storeu_si256((__m256i *)(rest_q + 32 * count), r.q);
    ((float *)v.rest_d)[count] = r.d;
    _mm256_storeu_ps((float *)v.rest_s8 + 8 * count, _mm256_mul_ps(_mm256_set1_ps(r.d), _mm256_cvtepi32_ps(r.sums4)));
    ((uint16_t *)v.rest_block)[count++] = (uint16_t)b;
  }
  *(uint32_t *)v.rest_count = count;
}

// Writes token `t` of a group's block `b`.
CK_INLINE CK_TARGET_AVX2 void store_token(ck_group_blocks g, size_t b, size_t t, block32 r) {
  int32_t fours[8], quads[8], *q = (int32_t *)(g.q + 256 * b) + t, *sums = (int32_t *)g.sums + 16 * b + t;
  _mm256_storeu_si256((__m256i *)fours, r.q);
  _mm256_storeu_si256((__m256i *)quads, r.sums4);
  for (size_t k = 0; k < 8; k++) q[8 * k] = fours[k];
  sums[0] = quads[0] + quads[1] + quads[2] + quads[3];
  sums[8] = quads[4] + quads[5] + quads[6] + quads[7];
  ((float *)g.d)[8 * b + t] = r.d;
  ((float *)g.s)[8 * b + t] = r.d * (float)(sums[0] + sums[8]);
}

CK_TARGET_AVX2 void ck_quantize_group_avx2(const float *x, size_t columns, size_t tokens, void *group) {
  const ck_group g = ck_group_at(group, columns);
  const size_t blocks = columns / 32;
  const block32 nothing = {_mm256_setzero_si256(), 0, _mm256_setzero_si256()};
  float threshold[CK_GROUP_TOKENS] = {0};
  for (size_t t = 0; t < CK_GROUP_TOKENS; t++) {
    float roots = 0;
    for (size_t b = 0; b < blocks; b++) {
      const block32 r = t < tokens ? quantize32(x + t * columns + 32 * b) : nothing;
      store_token(g.all, b, t, r);
      roots += __builtin_sqrtf(r.d);
    }
    const float mean = roots / (float)blocks;
    threshold[t] = CK_REST_FACTOR * mean * mean;
  }
  uint32_t count = 0;
  for (size_t b = 0; b < blocks; b++) {
    int stands_out = 0;
    for (size_t t = 0; t < tokens; t++) stands_out |= g.all.d[8 * b + t] > threshold[t];
    if (!stands_out) continue;
    for (size_t t = 0; t < CK_GROUP_TOKENS; t++) {
      block32 r = nothing;
      if (t < tokens) {
        const float *values = x + t * columns + 32 * b;
        const block32 first = quantize32(values);
        int8_t q[32];
        float rest[32];
        _mm256_storeu_si256((__m256i *)q, first.q);
        rest32(values, q, first.d, rest);
        // Only what stands out in its own token, as for a single vector: results don't depend on a token's neighbours.
        if (first.d > threshold[t]) r = quantize32(rest);
      }
      store_token(g.rest, count, t, r);
    }
    ((uint16_t *)g.rest_block)[count++] = (uint16_t)b;
  }
  *(uint32_t *)g.rest_count = count;
}
#endif
