// Products of quantised rows with a small batch (see ck_batch.h), AVX-512 with VNNI: two neighbouring rows at a time,
// which share the reading of activations, in slices of the columns whose activations stay in the first-level cache.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_batch.h"
#include "x86_step512.h"

// Step `j` of the chunk of 256 elements at `p`, of `blocks` (1 or 2) blocks of 32.
typedef step64 (*loader)(const uint8_t *p, size_t j, size_t blocks);

// `rows` (1 or 2) rows, `stride` bytes apart, with the batch; everything that is constant at the call is folded. `at` is
// the first step's activations. Sums of products are exact: at most 16 * 255 * 127 in an int32. Running sums are those
// of the dot products (x86_dot_avx512.c): for each half block of a step, even and odd steps apart.
CK_INLINE CK_TARGET_AVX512 void batch_rows(
  ck_batch_format f, loader load, size_t chunk_bytes, size_t rows, size_t quads, const uint8_t *row, size_t stride,
  size_t columns, size_t ahead, const char *at, size_t tokens, float *out, size_t out_stride, int is_first
) {
  __m512 sum[2][4][2];
  __m128 total[2][4];
  for (size_t r = 0; r < rows; r++) {
    for (size_t k = 0; k < quads; k++) {
      total[r][k] = ck_load_quad(k, tokens, out + r, out_stride, is_first);
      sum[r][k][0] = sum[r][k][1] = _mm512_setzero_ps();
    }
  }
  const __m512 zeros = _mm512_set1_ps(f.zero);
#define STEP(p, j, blocks)                                                                                   \
  {                                                                                                          \
    step64 w[2];                                                                                             \
    __m512i q[2][4];                                                                                         \
    for (size_t r = 0; r < rows; r++) {                                                                      \
      w[r] = load((p) + r * stride, j, blocks);                                                              \
      q[r][0] = _mm512_shuffle_epi32(w[r].q, 0x00);                                                          \
      q[r][1] = _mm512_shuffle_epi32(w[r].q, 0x55);                                                          \
      q[r][2] = _mm512_shuffle_epi32(w[r].q, 0xAA);                                                          \
      q[r][3] = _mm512_shuffle_epi32(w[r].q, 0xFF);                                                          \
    }                                                                                                        \
    for (size_t k = 0; k < quads; k++, at += CK_QUAD_BYTES) {                                                \
      const __m512 d = _mm512_load_ps(at + 256), s = _mm512_load_ps(at + 320);                               \
      for (size_t r = 0; r < rows; r++) {                                                                    \
        __m512 *to = &sum[r][k][(j) % 2];                                                                    \
        __m512i products = _mm512_setzero_si512();                                                           \
        for (size_t i = 0; i < 4; i++) {                                                                     \
          products = _mm512_dpbusd_epi32(products, q[r][i], _mm512_load_si512(at + 64 * i));                 \
        }                                                                                                    \
        __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(products), d);                                        \
        if (f.zero != 0) part = _mm512_fnmadd_ps(zeros, s, part);                                            \
        *to = _mm512_fmadd_ps(w[r].d, part, *to);                                                            \
        if (f.has_minimum) *to = _mm512_fmadd_ps(w[r].m, s, *to);                                            \
      }                                                                                                      \
    }                                                                                                        \
  }
#define ADD_UP                                                                                               \
  for (size_t r = 0; r < rows; r++) {                                                                        \
    for (size_t k = 0; k < quads; k++) {                                                                     \
      const __m512 both = _mm512_add_ps(sum[r][k][0], sum[r][k][1]);                                         \
      const __m256 blocks = _mm256_add_ps(_mm512_castps512_ps256(both), _mm512_extractf32x8_ps(both, 1));    \
      total[r][k] = _mm_add_ps(total[r][k], ck_both_halves(blocks));                                         \
      sum[r][k][0] = sum[r][k][1] = _mm512_setzero_ps();                                                     \
    }                                                                                                        \
  }
  const size_t chunks = columns / 256, left = columns / 32 % 8;
  for (size_t c = 0; c < chunks; c++) {
    const uint8_t *p = row + c * chunk_bytes;
    for (size_t r = 0; r < rows; r++) {
      for (size_t i = 0; i < chunk_bytes; i += 64) ck_prefetch(p + r * stride + ahead + i);
    }
#pragma clang loop unroll(full)
    for (size_t j = 0; j < 4; j++) STEP(p, j, 2)
    if ((c + 1) % (CK_SUM_COLUMNS / 256) == 0) ADD_UP
  }
  const uint8_t *end = row + chunks * chunk_bytes;
#pragma clang loop unroll(full)
  for (size_t j = 0; j < 4; j++) {
    if (2 * j + 1 < left) STEP(end, j, 2)
    else if (2 * j < left) STEP(end, j, 1)
  }
  ADD_UP
#undef STEP
#undef ADD_UP
  for (size_t r = 0; r < rows; r++) {
    for (size_t k = 0; k < quads; k++) ck_store_quad(total[r][k], k, tokens, out + r, out_stride, 0);
  }
}

#define BLOCK_LOADER(NAME, BYTES)                                                                            \
  CK_INLINE CK_TARGET_AVX512 step64 step_##NAME(const uint8_t *p, size_t j, size_t blocks) {                 \
    return load_##NAME(p + 2 * j * BYTES, blocks);                                                           \
  }
#define K_LOADER(NAME, BYTES)                                                                                \
  CK_INLINE CK_TARGET_AVX512 step64 step_##NAME(const uint8_t *p, size_t j, size_t blocks) {                 \
    (void)blocks;                                                                                            \
    return load_##NAME(p, (int)j);                                                                           \
  }

CK_INLINE CK_TARGET_AVX512 void batch_all(
  ck_batch_format f, loader load, size_t chunk_bytes, size_t quads, const uint8_t *rows, size_t stride, size_t row_count,
  size_t columns, ck_batch batch, size_t tokens, float *out, size_t out_stride
) {
  const size_t slice = ck_batch_slice(quads);
  // Rows are short streams when there are several slices: then the rows after the next pair's are fetched.
  const size_t ahead = columns > slice ? 4 * stride : CK_PREFETCH_DISTANCE;
  for (size_t first = 0; first < columns; first += slice) {
    const size_t count = columns - first < slice ? columns - first : slice;
    const uint8_t *row = rows + first / 256 * chunk_bytes;
    const char *at = batch.steps + first / 64 * quads * CK_QUAD_BYTES;
    size_t r = 0;
    for (; r + 2 <= row_count; r += 2) {
      batch_rows(f, load, chunk_bytes, 2, quads, row + r * stride, stride, count, ahead, at, tokens, out + r, out_stride,
                 first == 0);
    }
    if (r < row_count) {
      batch_rows(f, load, chunk_bytes, 1, quads, row + r * stride, stride, count, ahead, at, tokens, out + r, out_stride,
                 first == 0);
    }
  }
}

#define BATCH(LOADER, NAME, BYTES, CHUNK_BYTES, ZERO, HAS_MINIMUM, REST_ZERO, MOST, IS_SIGNED)               \
  LOADER(NAME, BYTES)                                                                                        \
  CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_batch_##NAME##_avx512) {                                              \
    const ck_batch_format f = {ZERO, HAS_MINIMUM, MOST, 0}, rest = {REST_ZERO, HAS_MINIMUM, MOST, IS_SIGNED}; \
    const ck_batch batch = ck_batch_at(vectors, columns, tokens);                                            \
    CK_BATCH_CASES(batch_all(f, step_##NAME, CHUNK_BYTES, CK_COUNT, (const uint8_t *)rows, row_stride, row_count, columns, \
                             batch, tokens, out, out_stride))                                                \
    CK_BATCH_CASES(ck_add_batch_rests(rest, ck_unpack_##NAME, ck_scale_##NAME, (const uint8_t *)rows, row_stride, row_count, \
                                      batch, CK_COUNT, tokens, out, out_stride))                             \
  }

BATCH(BLOCK_LOADER, q4_0, 18, 144, 8, 0, 8, 15, 0)
BATCH(BLOCK_LOADER, q4_1, 20, 160, 0, 1, 0, 15, 0)
BATCH(BLOCK_LOADER, q5_0, 22, 176, 16, 0, 16, 31, 0)
BATCH(BLOCK_LOADER, q5_1, 24, 192, 0, 1, 0, 31, 0)
BATCH(BLOCK_LOADER, q8_0, 34, 272, 128, 0, 0, 128, 1)
BATCH(K_LOADER, q2_K, 84, 84, 0, 1, 0, 3, 0)
BATCH(K_LOADER, q3_K, 110, 110, 4, 0, 4, 7, 0)
BATCH(K_LOADER, q4_K, 144, 144, 0, 1, 0, 15, 0)
BATCH(K_LOADER, q5_K, 176, 176, 0, 1, 0, 31, 0)
BATCH(K_LOADER, q6_K, 210, 210, 32, 0, 32, 63, 0)
#endif
