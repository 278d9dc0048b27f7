#pragma once
// The products of one row with the rests of a vector's coarsest blocks (see ck_vector): a few blocks, here and there.
#include "x86_unpack.h"

/// Weights are scale * (q - zero) + minimum; `is_signed`: q are signed bytes (and then zero is 0).
///
/// Adds in the order in which small batches do (see ck_add_batch_rests): by half blocks, both together at the end.
CK_INLINE CK_TARGET_AVX2 float ck_rest_product(
  ck_unpacker unpack, ck_scaler scaler, float zero, int is_signed, int has_minimum, const uint8_t *row, const void *vector,
  size_t columns
) {
  const ck_vector v = ck_vector_at(vector, columns);
  const uint32_t count = *v.rest_count;
  if (count == 0) return 0;
  __m256 sum = _mm256_setzero_ps();  // a half in each half, the same in its four lanes
  for (uint32_t i = 0; i < count; i++) {
    const size_t b = v.rest_block[i];
    const __m256i w = unpack(row, b), q = _mm256_loadu_si256((const __m256i *)(v.rest_q + 32 * i));
    const ck_block_scale scale = scaler(row, b);
    // int16 pairs: at most 2 * 63 * 127, or 2 * 128 * 127 for signed bytes.
    const __m256i pairs = is_signed ? _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(q, w))
                                    : _mm256_maddubs_epi16(w, q);
    __m256i products = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    products = _mm256_hadd_epi32(products, products);
    products = _mm256_hadd_epi32(products, products);
    const __m256 s = _mm256_set_m128(_mm_set1_ps(v.rest_s[2 * i + 1]), _mm_set1_ps(v.rest_s[2 * i]));
    __m256 part = _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_set1_ps(v.rest_d[i]));
    if (zero != 0) part = _mm256_fnmadd_ps(_mm256_set1_ps(zero), s, part);
    sum = _mm256_fmadd_ps(scale.d, part, sum);
    if (has_minimum) sum = _mm256_fmadd_ps(scale.m, s, sum);
  }
  return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1)));
}

/// Adds the rests of `count` vectors to a row's products.
#define CK_ADD_RESTS(NAME, ZERO, IS_SIGNED, HAS_MINIMUM, COUNT)                                              \
  for (size_t i = 0; i < (COUNT); i++) {                                                                     \
    o[i * out_stride] += ck_rest_product(                                                                    \
      ck_unpack_##NAME, ck_scale_##NAME, ZERO, IS_SIGNED, HAS_MINIMUM, row, v + i * vector_bytes, columns);  \
  }
