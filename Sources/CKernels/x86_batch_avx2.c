// Products of quantised rows with a small batch (see ck_batch.h), AVX2.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_batch.h"

// One row with `quads` (1 or 2) quads of a batch, which has `all_quads`; `at` are the first one's activations. Everything
// that is constant at the call is folded. Running sums are those of the dot products (x86_dot_avx2.c): four for each half
// block, block b of a chunk in number b / 2.
CK_INLINE CK_TARGET_AVX2 void batch_row(
  ck_batch_format f, ck_unpacker unpack, ck_scaler scaler, size_t chunk_bytes, size_t quads, size_t all_quads,
  const uint8_t *row, size_t columns, size_t ahead, const char *at, size_t tokens, float *out, size_t out_stride, int is_first
) {
  __m256 sum[2][4];
  __m128 total[2];
  for (size_t k = 0; k < quads; k++) {
    total[k] = ck_load_quad(k, tokens, out, out_stride, is_first);
    for (size_t i = 0; i < 4; i++) sum[k][i] = _mm256_setzero_ps();
  }
#define BLOCK(p, j)                                                                                          \
  {                                                                                                          \
    const __m256i w = unpack(p, j);                                                                          \
    const ck_block_scale scale = scaler(p, j);                                                               \
    const char *quad = at + (j) / 2 * all_quads * CK_QUAD_BYTES + 32 * ((j) % 2);                            \
    _Pragma("clang loop unroll(full)") for (size_t k = 0; k < quads; k++, quad += CK_QUAD_BYTES) {           \
      sum[k][(j) / 2] = ck_add_quad(                                                                         \
        f, sum[k][(j) / 2], ck_quad_products(w, quad, 64, f.most, f.is_signed), scale, quad + 256, quad + 320); \
    }                                                                                                        \
  }
#define ADD_UP                                                                                               \
  for (size_t k = 0; k < quads; k++) {                                                                       \
    const __m256 both = _mm256_add_ps(_mm256_add_ps(sum[k][0], sum[k][2]), _mm256_add_ps(sum[k][1], sum[k][3])); \
    total[k] = _mm_add_ps(total[k], ck_both_halves(both));                                                   \
    for (size_t i = 0; i < 4; i++) sum[k][i] = _mm256_setzero_ps();                                          \
  }
  const size_t chunks = columns / 256, left = columns / 32 % 8;
  for (size_t c = 0; c < chunks; c++, at += 4 * all_quads * CK_QUAD_BYTES) {
    const uint8_t *p = row + c * chunk_bytes;
    for (size_t i = 0; i < chunk_bytes; i += 64) ck_prefetch(p + ahead + i);
#pragma clang loop unroll(full)
    for (size_t j = 0; j < 8; j++) BLOCK(p, j)
    if ((c + 1) % (CK_SUM_COLUMNS / 256) == 0) ADD_UP
  }
  const uint8_t *end = row + chunks * chunk_bytes;
#pragma clang loop unroll(full)
  for (size_t j = 0; j < 7; j++) {
    if (j < left) BLOCK(end, j)
  }
  ADD_UP
#undef BLOCK
#undef ADD_UP
  for (size_t k = 0; k < quads; k++) ck_store_quad(total[k], k, tokens, out, out_stride, 0);
}

// More than two quads go two by two, since there are registers for the running sums of two.
CK_INLINE CK_TARGET_AVX2 void batch_all(
  ck_batch_format f, ck_unpacker unpack, ck_scaler scaler, size_t chunk_bytes, size_t quads, const uint8_t *rows,
  size_t stride, size_t row_count, size_t columns, ck_batch batch, size_t tokens, float *out, size_t out_stride
) {
  const size_t slice = ck_batch_slice(quads);
  // Rows are short streams when there are several slices: then the rows after the next are fetched.
  const size_t ahead = columns > slice ? 2 * stride : CK_PREFETCH_DISTANCE;
  for (size_t first = 0; first < columns; first += slice) {
    const size_t count = columns - first < slice ? columns - first : slice;
    for (size_t r = 0; r < row_count; r++) {
      const uint8_t *row = rows + r * stride + first / 256 * chunk_bytes;
      const char *at = batch.steps + first / 64 * quads * CK_QUAD_BYTES;
      for (size_t k = 0; k < quads; k += 2) {
#define ROW(N)                                                                                               \
  batch_row(f, unpack, scaler, chunk_bytes, N, quads, row, count, ahead, at + k * CK_QUAD_BYTES, tokens - 4 * k, \
            out + 4 * k * out_stride + r, out_stride, first == 0)
        if (quads - k > 1) ROW(2);
        else ROW(1);
#undef ROW
      }
    }
  }
  CK_BATCH_CASES(
    ck_add_batch_rests(f, unpack, scaler, rows, stride, row_count, batch, CK_COUNT, tokens, out, out_stride))
}

#define BATCH(NAME, CHUNK_BYTES, ZERO, HAS_MINIMUM, MOST, IS_SIGNED)                                         \
  CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_batch_##NAME##_avx2) {                                                  \
    const ck_batch_format f = {ZERO, HAS_MINIMUM, MOST, IS_SIGNED};                                          \
    const ck_batch batch = ck_batch_at(vectors, columns, tokens);                                            \
    batch_all(f, ck_unpack_##NAME, ck_scale_##NAME, CHUNK_BYTES, batch.quads, (const uint8_t *)rows, row_stride, row_count, \
              columns, batch, tokens, out, out_stride);                                                      \
  }

BATCH(q4_0, 144, 8, 0, 15, 0)
BATCH(q4_1, 160, 0, 1, 15, 0)
BATCH(q5_0, 176, 16, 0, 31, 0)
BATCH(q5_1, 192, 0, 1, 31, 0)
BATCH(q8_0, 272, 0, 0, 128, 1)
BATCH(q2_K, 84, 0, 1, 3, 0)
BATCH(q3_K, 110, 4, 0, 7, 0)
BATCH(q4_K, 144, 0, 1, 15, 0)
BATCH(q5_K, 176, 0, 1, 31, 0)
BATCH(q6_K, 210, 32, 0, 63, 0)
#endif
