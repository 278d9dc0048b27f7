// Panel products, Arm: 8 rows by 8 tokens at a time, with the dot product (4 elements a step) or the matrix instructions
// (8 elements a step).
//
// Weights and activations are signed bytes, and their products are added in int32: 256 * 128 * 127 is far from its end.
#include "arm_internal.h"

#if defined(__aarch64__)

#include "ck_panel.h"

typedef struct format {
  int has_minimum;  // weights are scale * w + minimum
  int halves;       // each half block of 16 has a scale of its own
} format;

// Packs blocks first ..< first + count of 32 rows: q[elements / step][32 rows][step].
CK_INLINE void pack(
  ck_arm_unpacker unpack, format f, size_t step, const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel
) {
  uint8_t *q = &panel->q[0][0][0];
  for (size_t r = 0; r < CK_PANEL_ROWS; r++) {
    for (size_t b = 0; b < count; b++) {
      const ck_arm_block w = unpack(rows[r], first + b);
      int8_t bytes[32];
      vst1q_s8(bytes, w.w0);
      vst1q_s8(bytes + 16, w.w1);
      for (size_t k = 0; k < 32; k += step) memcpy(q + CK_PANEL_ROWS * (32 * b + k) + step * r, bytes + k, step);
      if (f.halves) {
        panel->scale[2 * b][r] = w.scale0;
        panel->scale[2 * b + 1][r] = w.scale1;
      } else {
        panel->scale[b][r] = w.scale0;
      }
      if (f.has_minimum) panel->minimum[b][r] = w.minimum;
    }
  }
}

// Adds what one scale's elements gave for 8 rows and one token.
CK_INLINE void add_scaled(
  int32x4_t low, int32x4_t high, const float *scale, const float *minimum, float d, float s, float *sum
) {
  float32x4_t r0 = vld1q_f32(sum), r1 = vld1q_f32(sum + 4);
  r0 = vfmaq_n_f32(r0, vmulq_f32(vcvtq_f32_s32(low), vld1q_f32(scale)), d);
  r1 = vfmaq_n_f32(r1, vmulq_f32(vcvtq_f32_s32(high), vld1q_f32(scale + 4)), d);
  if (minimum) {
    r0 = vfmaq_n_f32(r0, vld1q_f32(minimum), s);
    r1 = vfmaq_n_f32(r1, vld1q_f32(minimum + 4), s);
  }
  vst1q_f32(sum, r0);
  vst1q_f32(sum + 4, r1);
}

// Eight rows from `row` on and all eight tokens: sixteen accumulators of four rows by one token.
CK_INLINE CK_TARGET_DOTPROD void multiply_dotprod(
  format f, size_t row, const ck_panel *panel, size_t count, const uint16_t *indices, size_t from, ck_group_blocks g,
  float (*sums)[CK_PANEL_ROWS]
) {
  const size_t parts = f.halves ? 2 : 1, steps = 8 / parts;
  for (size_t b = 0; b < count; b++) {
    const size_t at = indices ? indices[b] - from : b;  // the block's place in the panel
    for (size_t part = 0; part < parts; part++) {
      int32x4_t low[8], high[8];
      for (int t = 0; t < 8; t++) low[t] = high[t] = vdupq_n_s32(0);
      for (size_t k = 0; k < steps; k++) {
        const size_t step = steps * part + k;
        const int8_t *q = (const int8_t *)&panel->q[8 * at + step][row][0], *a = g.q + 256 * b + 32 * step;
        const int8x16_t w0 = vld1q_s8(q), w1 = vld1q_s8(q + 16), a0 = vld1q_s8(a), a1 = vld1q_s8(a + 16);
#define TOKEN(T, A, LANE)                                                                                    \
  low[T] = vdotq_laneq_s32(low[T], w0, A, LANE);                                                             \
  high[T] = vdotq_laneq_s32(high[T], w1, A, LANE)
        TOKEN(0, a0, 0);
        TOKEN(1, a0, 1);
        TOKEN(2, a0, 2);
        TOKEN(3, a0, 3);
        TOKEN(4, a1, 0);
        TOKEN(5, a1, 1);
        TOKEN(6, a1, 2);
        TOKEN(7, a1, 3);
#undef TOKEN
      }
      const float *scale = panel->scale[parts * at + part] + row;
      const float *minimum = f.has_minimum ? panel->minimum[at] + row : 0;
      for (int t = 0; t < 8; t++) {
        add_scaled(low[t], high[t], scale, minimum, g.d[8 * b + t], g.s[8 * b + t], sums[t] + row);
      }
    }
  }
}

// Eight rows from `row` on and all eight tokens: sixteen accumulators of two rows by two tokens.
CK_INLINE CK_TARGET_I8MM void multiply_i8mm(
  format f, size_t row, const ck_panel *panel, size_t count, const uint16_t *indices, size_t from, ck_group_blocks g,
  float (*sums)[CK_PANEL_ROWS]
) {
  const size_t parts = f.halves ? 2 : 1, steps = 4 / parts;
  const int8_t *q = (const int8_t *)&panel->q[0][0][0] + 8 * row;
  for (size_t b = 0; b < count; b++) {
    const size_t at = indices ? indices[b] - from : b;  // the block's place in the panel
    for (size_t part = 0; part < parts; part++) {
      int32x4_t sum[4][4];  // [rows 2i, 2i + 1][tokens 2j, 2j + 1]
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) sum[i][j] = vdupq_n_s32(0);
      }
      for (size_t k = 0; k < steps; k++) {
        const size_t step = steps * part + k;
        const int8_t *weights = q + 8 * CK_PANEL_ROWS * (4 * at + step);
        const int8_t *activations = g.q + 256 * b + 8 * CK_GROUP_TOKENS * step;
        int8x16_t w[4], a[4];
        for (int i = 0; i < 4; i++) {
          w[i] = vld1q_s8(weights + 16 * i);
          a[i] = vld1q_s8(activations + 16 * i);
        }
        for (int i = 0; i < 4; i++) {
          for (int j = 0; j < 4; j++) sum[i][j] = vmmlaq_s32(sum[i][j], w[i], a[j]);
        }
      }
      const float *scale = panel->scale[parts * at + part] + row;
      const float *minimum = f.has_minimum ? panel->minimum[at] + row : 0;
      for (int t = 0; t < 8; t++) {
        const int j = t / 2;
        // Even lanes are the first token of a pair, odd lanes the second.
        const int32x4_t low = t % 2 ? vuzp2q_s32(sum[0][j], sum[1][j]) : vuzp1q_s32(sum[0][j], sum[1][j]);
        const int32x4_t high = t % 2 ? vuzp2q_s32(sum[2][j], sum[3][j]) : vuzp1q_s32(sum[2][j], sum[3][j]);
        add_scaled(low, high, scale, minimum, g.d[8 * b + t], g.s[8 * b + t], sums[t] + row);
      }
    }
  }
}

// Absent tokens of the last group are zeros in it, and their sums are thrown away.
#define PANEL(NAME, LEVEL, TARGET, STEP, ...)                                                                \
  static TARGET void pack_##NAME##_##LEVEL(                                                                  \
    const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel                                  \
  ) {                                                                                                        \
    const format f = {__VA_ARGS__};                                                                          \
    pack(ck_arm_unpack_##NAME, f, STEP, rows, first, count, panel);                                          \
  }                                                                                                          \
  static TARGET void multiply_##NAME##_##LEVEL(                                                              \
    const ck_panel *panel, size_t count, const uint16_t *indices, size_t from, ck_group_blocks g,            \
    size_t tokens, float (*sums)[CK_PANEL_ROWS]                                                              \
  ) {                                                                                                        \
    const format f = {__VA_ARGS__};                                                                          \
    (void)tokens;                                                                                            \
    for (size_t row = 0; row < CK_PANEL_ROWS; row += 8) {                                                    \
      multiply_##LEVEL(f, row, panel, count, indices, from, g, sums);                                        \
    }                                                                                                        \
  }                                                                                                          \
  TARGET CK_PANEL_SIGNATURE(ck_panel_##NAME##_##LEVEL) {                                                     \
    ck_multiply_panel(                                                                                       \
      pack_##NAME##_##LEVEL, multiply_##NAME##_##LEVEL, rows, row_count, columns, groups, tokens, out, out_stride, \
      scratch);                                                                                              \
  }

#define PANELS(LEVEL, TARGET, STEP)                                                                          \
  PANEL(q4_0, LEVEL, TARGET, STEP, 0, 0)                                                                     \
  PANEL(q4_1, LEVEL, TARGET, STEP, 1, 0)                                                                     \
  PANEL(q5_0, LEVEL, TARGET, STEP, 0, 0)                                                                     \
  PANEL(q5_1, LEVEL, TARGET, STEP, 1, 0)                                                                     \
  PANEL(q8_0, LEVEL, TARGET, STEP, 0, 0)                                                                     \
  PANEL(q4_K, LEVEL, TARGET, STEP, 1, 0)                                                                     \
  PANEL(q5_K, LEVEL, TARGET, STEP, 1, 0)                                                                     \
  PANEL(q6_K, LEVEL, TARGET, STEP, 0, 1)

PANELS(dotprod, CK_TARGET_DOTPROD, 4)
PANELS(i8mm, CK_TARGET_I8MM, 8)
#endif
