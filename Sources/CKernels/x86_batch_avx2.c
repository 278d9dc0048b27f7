// Products of quantised rows with a small batch (see ck_batch.h), AVX2.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_batch.h"

// One row with the batch. `chunk` is a block of 256 (8 blocks of 32) or one of 32; inside a chunk block numbers are
// constant, so that unpacking costs no address arithmetic. Everything else that is constant at the call is folded too.
CK_INLINE CK_TARGET_AVX2 void batch_row(
  ck_batch_format f, ck_unpacker unpack, ck_scaler scaler, size_t chunk_bytes, size_t chunk, size_t quads,
  const uint8_t *row, size_t columns, size_t ahead, const char *steps, size_t tokens, float *out, size_t out_stride, int add
) {
  __m256 sum[4];
  for (size_t i = 0; i < quads; i++) sum[i] = _mm256_setzero_ps();
  for (size_t first = 0; first < columns / 32; first += chunk) {
    const uint8_t *p = row + first / chunk * chunk_bytes;
    if (chunk > 1 || first % 2 == 0) {
      for (size_t i = 0; i < chunk_bytes; i += 64) ck_prefetch(p + ahead + i);
    }
#pragma clang loop unroll(full)
    for (size_t j = 0; j < chunk; j++) {
      const __m256i w = unpack(p, j);
      const ck_block_scale scale = scaler(p, j);
      const size_t half = chunk > 1 ? j % 2 : first % 2;
      const char *at = steps + (first + j) / 2 * quads * CK_QUAD_BYTES + 32 * half;
#pragma clang loop unroll(full)
      for (size_t k = 0; k < quads; k++, at += CK_QUAD_BYTES) {
        sum[k] = ck_add_quad(f, sum[k], ck_quad_products(w, at, 64, f.most, f.is_signed), scale, at + 256, at + 320);
      }
    }
  }
  for (size_t k = 0; k < quads; k++) ck_store_quad(ck_both_halves(sum[k]), k, tokens, out, out_stride, add);
}

CK_INLINE CK_TARGET_AVX2 void batch_all(
  ck_batch_format f, ck_unpacker unpack, ck_scaler scaler, size_t chunk_bytes, size_t chunk, size_t quads,
  const uint8_t *rows, size_t stride, size_t row_count, size_t columns, ck_batch batch, size_t tokens, float *out,
  size_t out_stride
) {
  const size_t slice = ck_batch_slice(quads);
  // Rows are short streams when there are several slices: then the rows after the next are fetched.
  const size_t ahead = columns > slice ? 2 * stride : CK_PREFETCH_DISTANCE;
  for (size_t first = 0; first < columns; first += slice) {
    const size_t count = columns - first < slice ? columns - first : slice;
    for (size_t r = 0; r < row_count; r++) {
      batch_row(f, unpack, scaler, chunk_bytes, chunk, quads, rows + r * stride + first / 32 / chunk * chunk_bytes, count,
                ahead, batch.steps + first / 64 * quads * CK_QUAD_BYTES, tokens, out + r, out_stride, first > 0);
    }
  }
  ck_add_batch_rests(f, unpack, scaler, rows, stride, row_count, batch, quads, tokens, out, out_stride);
}

#define BATCH(NAME, CHUNK_BYTES, CHUNK, ZERO, HAS_MINIMUM, MOST, IS_SIGNED)                                  \
  CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_batch_##NAME##_avx2) {                                                  \
    const ck_batch_format f = {ZERO, HAS_MINIMUM, MOST, IS_SIGNED};                                          \
    const ck_batch batch = ck_batch_at(vectors, columns, tokens);                                            \
    CK_BATCH_CASES(batch_all(f, ck_unpack_##NAME, ck_scale_##NAME, CHUNK_BYTES, CHUNK, CK_COUNT, (const uint8_t *)rows, \
                             row_stride, row_count, columns, batch, tokens, out, out_stride))                \
  }

BATCH(q4_0, 18, 1, 8, 0, 15, 0)
BATCH(q4_1, 20, 1, 0, 1, 15, 0)
BATCH(q5_0, 22, 1, 16, 0, 31, 0)
BATCH(q5_1, 24, 1, 0, 1, 31, 0)
BATCH(q8_0, 34, 1, 0, 0, 128, 1)
BATCH(q2_K, 84, 8, 0, 1, 3, 0)
BATCH(q3_K, 110, 8, 4, 0, 7, 0)
BATCH(q4_K, 144, 8, 0, 1, 15, 0)
BATCH(q5_K, 176, 8, 0, 1, 31, 0)
BATCH(q6_K, 210, 8, 32, 0, 63, 0)
#endif
