// Dot products of quantised rows with a few activation vectors, Arm with the dot product instructions.
//
// One row after the other, front to back, so that memory is read as one stream; a row is unpacked once for up to four
// vectors. Weights and activations are signed bytes, and sdot adds four products into an int32 lane: nothing saturates.
#include "arm_internal.h"

#if defined(__aarch64__)

#include "ck_dot_loop.h"

// One row with `n` vectors; everything that is constant at the call is folded.
CK_INLINE CK_TARGET_DOTPROD void dot_row(
  ck_arm_unpacker unpack, size_t group, size_t block_bytes, int has_minimum, int halves, const uint8_t *row,
  const char *vectors, size_t vector_bytes, size_t columns, size_t n, float *out, size_t out_stride
) {
  float32x4_t sum[4];
  float minimum[4];
  ck_vector v[4];
  for (size_t t = 0; t < n; t++) {
    sum[t] = vdupq_n_f32(0);
    minimum[t] = 0;
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  // `group` blocks of 32 are stored together: with the inner loop unrolled their scales are read once.
  for (size_t first = 0; first < columns / 32; first += group) {
#pragma clang loop unroll(full)
    for (size_t i = 0; i < group; i++) {
      const size_t b = first + i;
      if (b % 2 == 0) ck_prefetch(row + b * block_bytes + CK_PREFETCH_DISTANCE);
      const ck_arm_block w = unpack(row, b);
      for (size_t t = 0; t < n; t++) {
        const int8x16_t q0 = vld1q_s8(v[t].q + 32 * b), q1 = vld1q_s8(v[t].q + 32 * b + 16);
        const float d = v[t].d[b];
        int32x4_t products = vdotq_s32(vdupq_n_s32(0), w.w0, q0);
        if (halves) {
          const int32x4_t others = vdotq_s32(vdupq_n_s32(0), w.w1, q1);
          sum[t] = vfmaq_n_f32(sum[t], vcvtq_f32_s32(others), w.scale1 * d);
        } else {
          products = vdotq_s32(products, w.w1, q1);
        }
        sum[t] = vfmaq_n_f32(sum[t], vcvtq_f32_s32(products), w.scale0 * d);
        if (has_minimum) minimum[t] += w.minimum * v[t].s[b];
      }
    }
  }
  for (size_t t = 0; t < n; t++) out[t * out_stride] = vaddvq_f32(sum[t]) + minimum[t];
}

// The product of one row with the rests of a vector's coarsest blocks.
CK_INLINE CK_TARGET_DOTPROD float rest_product(
  ck_arm_unpacker unpack, const uint8_t *row, const void *vector, size_t columns
) {
  const ck_vector v = ck_vector_at(vector, columns);
  float sum = 0;
  for (uint32_t i = 0; i < *v.rest_count; i++) {
    const ck_arm_block w = unpack(row, v.rest_block[i]);
    const int32x4_t low = vdotq_s32(vdupq_n_s32(0), w.w0, vld1q_s8(v.rest_q + 32 * i));
    const int32x4_t high = vdotq_s32(vdupq_n_s32(0), w.w1, vld1q_s8(v.rest_q + 32 * i + 16));
    sum += v.rest_d[i] * (w.scale0 * (float)vaddvq_s32(low) + w.scale1 * (float)vaddvq_s32(high));
    sum += w.minimum * v.rest_s[2 * i];
  }
  return sum;
}

// BYTES: of one block of 32, on average.
#define DOT(NAME, GROUP, BYTES, HAS_MINIMUM, HALVES)                                                         \
  CK_TARGET_DOTPROD CK_DOT_SIGNATURE(ck_dot_##NAME##_dotprod) {                                              \
    CK_DOT_LOOP(4, dot_row(ck_arm_unpack_##NAME, GROUP, BYTES, HAS_MINIMUM, HALVES, row, v, vector_bytes, columns, \
                           CK_COUNT, o, out_stride),                                                         \
                for (size_t i = 0; i < count; i++) {                                                         \
                  o[i * out_stride] += rest_product(ck_arm_unpack_##NAME, row, v + i * vector_bytes, columns); \
                })                                                                                           \
  }

DOT(q4_0, 1, 18, 0, 0)
DOT(q4_1, 1, 20, 1, 0)
DOT(q5_0, 1, 22, 0, 0)
DOT(q5_1, 1, 24, 1, 0)
DOT(q8_0, 1, 34, 0, 0)
DOT(q4_K, 8, 18, 1, 0)
DOT(q5_K, 8, 22, 1, 0)
DOT(q6_K, 8, 26, 0, 1)
#endif
