#pragma once
// What the small-batch kernels of both x86-64 levels share: one block of 32 with the quads of a batch, and the rests.
// AVX2.
#include "ck_batch.h"
#include "ck_dot_loop.h"
#include "x86_unpack.h"

/// The four tokens' products with a block, by half blocks: [2 halves][4 tokens].
///
/// `q` is the quad's activations, a step of four every `stride` bytes. vpmaddubsw adds pairs of products in int16, and
/// so many steps of them are added there as stay below 32,767: four for weights up to 31 (8 * 31 * 127 = 31,496), two
/// for 63 (4 * 63 * 127 = 32,004), one for signed bytes (2 * 128 * 127 = 32,512).
CK_INLINE CK_TARGET_AVX2 __m256i ck_quad_products(__m256i w, const char *q, size_t stride, int most, int is_signed) {
  const __m256i ones = _mm256_set1_epi16(1);
#define CK_LOAD(i) _mm256_loadu_si256((const __m256i *)(q + (i) * stride))
  if (is_signed) {
    const __m256i size = _mm256_abs_epi8(w);
#define CK_PAIR(i) _mm256_maddubs_epi16(_mm256_shuffle_epi32(size, 0x55 * (i)),                              \
                                        _mm256_sign_epi8(CK_LOAD(i), _mm256_shuffle_epi32(w, 0x55 * (i))))
    return _mm256_add_epi32(
      _mm256_add_epi32(_mm256_madd_epi16(CK_PAIR(0), ones), _mm256_madd_epi16(CK_PAIR(1), ones)),
      _mm256_add_epi32(_mm256_madd_epi16(CK_PAIR(2), ones), _mm256_madd_epi16(CK_PAIR(3), ones)));
#undef CK_PAIR
  }
#define CK_PAIR(i) _mm256_maddubs_epi16(_mm256_shuffle_epi32(w, 0x55 * (i)), CK_LOAD(i))
  const __m256i low = _mm256_add_epi16(CK_PAIR(0), CK_PAIR(1)), high = _mm256_add_epi16(CK_PAIR(2), CK_PAIR(3));
#undef CK_PAIR
#undef CK_LOAD
  if (most <= 31) return _mm256_madd_epi16(_mm256_add_epi16(low, high), ones);
  return _mm256_add_epi32(_mm256_madd_epi16(low, ones), _mm256_madd_epi16(high, ones));
}

/// What a kernel has to know of a format. Weight = scale * (q - zero) + minimum.
typedef struct ck_batch_format {
  float zero;
  int has_minimum;
  int most;       // the largest q
  int is_signed;  // q are signed bytes
} ck_batch_format;

CK_INLINE CK_TARGET_AVX2 __m256 ck_add_quad(
  ck_batch_format f, __m256 sum, __m256i products, ck_block_scale scale, const char *d, const char *s
) {
  const __m256 sums = _mm256_loadu_ps((const float *)s);
  __m256 part = _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_loadu_ps((const float *)d));
  if (f.zero != 0) part = _mm256_fnmadd_ps(_mm256_set1_ps(f.zero), sums, part);
  sum = _mm256_fmadd_ps(scale.d, part, sum);
  return f.has_minimum ? _mm256_fmadd_ps(scale.m, sums, sum) : sum;
}

/// Writes or adds the sums of a quad's tokens.
CK_INLINE CK_TARGET_AVX2 void ck_store_quad(__m128 sum, size_t quad, size_t tokens, float *out, size_t out_stride, int add) {
  float values[4];
  _mm_storeu_ps(values, sum);
  const size_t left = tokens - 4 * quad, count = left < 4 ? left : 4;
  for (size_t t = 0; t < count; t++) {
    float *o = out + (4 * quad + t) * out_stride;
    *o = add ? *o + values[t] : values[t];
  }
}

CK_INLINE CK_TARGET_AVX2 __m128 ck_both_halves(__m256 sum) {
  return _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
}

/// Sums of a quad's tokens so far: what is already in their places, or zero.
CK_INLINE CK_TARGET_AVX2 __m128 ck_load_quad(size_t quad, size_t tokens, const float *out, size_t out_stride, int is_first) {
  if (is_first) return _mm_setzero_ps();
  float values[4] = {0, 0, 0, 0};
  const size_t left = tokens - 4 * quad, count = left < 4 ? left : 4;
  for (size_t t = 0; t < count; t++) values[t] = out[(4 * quad + t) * out_stride];
  return _mm_loadu_ps(values);
}

/// Adds the products of the rows with the rests of a batch's coarsest blocks.
CK_INLINE CK_TARGET_AVX2 void ck_add_batch_rests(
  ck_batch_format f, ck_unpacker unpack, ck_scaler scaler, const uint8_t *rows, size_t stride, size_t row_count,
  ck_batch batch, size_t quads, size_t tokens, float *out, size_t out_stride
) {
  const uint32_t count = *batch.rest_count;
  if (count == 0) return;
  for (size_t r = 0; r < row_count; r++) {
    __m256 sum[4];
    for (size_t i = 0; i < quads; i++) sum[i] = _mm256_setzero_ps();
    const char *at = batch.rests;
    for (uint32_t i = 0; i < count; i++) {
      const uint8_t *row = rows + r * stride;
      const __m256i w = unpack(row, batch.rest_block[i]);
      const ck_block_scale scale = scaler(row, batch.rest_block[i]);
      for (size_t k = 0; k < quads; k++, at += CK_QUAD_REST_BYTES) {
        sum[k] = ck_add_quad(f, sum[k], ck_quad_products(w, at, 32, f.most, f.is_signed), scale, at + 128, at + 160);
      }
    }
    for (size_t k = 0; k < quads; k++) ck_store_quad(ck_both_halves(sum[k]), k, tokens, out + r, out_stride, 1);
  }
}

/// Columns whose activations take up to 24 KB, and are whole parts of the sum: they stay in the first-level cache while all
/// rows of a call use them.
CK_INLINE size_t ck_batch_slice(size_t quads) { return 4 / quads * CK_SUM_COLUMNS; }

// The four numbers of quads as constants.
#define CK_BATCH_CASES(KERNEL)                                                                               \
  switch ((tokens + 3) / 4) {                                                                                \
    CK_DOT_CASE(1, KERNEL)                                                                                   \
    CK_DOT_CASE(2, KERNEL)                                                                                   \
    CK_DOT_CASE(3, KERNEL)                                                                                   \
    CK_DOT_CASE(4, KERNEL)                                                                                   \
  }
