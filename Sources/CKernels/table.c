// Which kernel runs for which element type at which level.
#include "arm_internal.h"
#include "ck_batch.h"
#include "ck_internal.h"
#include "ck_dot_loop.h"
#include "ck_panel.h"

size_t ck_vector_bytes(size_t columns) { return ck_vector_size(columns); }
size_t ck_group_bytes(size_t columns) { return ck_group_size(columns); }
size_t ck_batch_bytes(size_t columns, size_t tokens) { return ck_batch_size(columns, tokens); }
size_t ck_panel_scratch_bytes(size_t tokens) { return ck_panel_scratch_size(tokens); }

#if defined(__x86_64__)

void ck_quantize_vector_avx2(const float *, size_t, void *);
void ck_quantize_group_avx2(const float *, size_t, size_t, void *);
void ck_quantize_batch_avx2(const float *, size_t, size_t, void *);

// The quantised formats, for functions ck_PREFIX_format_LEVEL.
#define CK_DECLARE_DOTS(PREFIX, LEVEL)                                                                       \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q4_0_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q4_1_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q5_0_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q5_1_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q8_0_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q2_K_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q3_K_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q4_K_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q5_K_##LEVEL);                                                                \
  CK_DOT_SIGNATURE(ck_##PREFIX##_q6_K_##LEVEL)

CK_DECLARE_DOTS(dot, avx2);
CK_DECLARE_DOTS(dot, avx512);
CK_DECLARE_DOTS(batch, avx2);
CK_DECLARE_DOTS(batch, avx512);
CK_DOT_SIGNATURE(ck_dot_f32_avx2);
CK_DOT_SIGNATURE(ck_dot_f16_avx2);
CK_DOT_SIGNATURE(ck_dot_bf16_avx2);
CK_DOT_SIGNATURE(ck_dot_f32_avx512);
CK_DOT_SIGNATURE(ck_dot_f16_avx512);
CK_DOT_SIGNATURE(ck_dot_bf16_avx512);

#define CK_DECLARE_PANELS(LEVEL)                                                                             \
  CK_PANEL_SIGNATURE(ck_panel_q4_0_##LEVEL);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_q4_1_##LEVEL);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_q5_0_##LEVEL);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_q5_1_##LEVEL);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_q8_0_##LEVEL);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_q4_K_##LEVEL);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_q5_K_##LEVEL);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_q6_K_##LEVEL)

CK_DECLARE_PANELS(avx2);
CK_DECLARE_PANELS(avx512);

#define CK_PANEL_ENTRIES(LEVEL)                                                                              \
  [CK_Q4_0] = ck_panel_q4_0_##LEVEL, [CK_Q4_1] = ck_panel_q4_1_##LEVEL, [CK_Q5_0] = ck_panel_q5_0_##LEVEL,   \
  [CK_Q5_1] = ck_panel_q5_1_##LEVEL, [CK_Q8_0] = ck_panel_q8_0_##LEVEL, [CK_Q4_K] = ck_panel_q4_K_##LEVEL,   \
  [CK_Q5_K] = ck_panel_q5_K_##LEVEL, [CK_Q6_K] = ck_panel_q6_K_##LEVEL

#define CK_QUANTIZED_ENTRIES(PREFIX, LEVEL)                                                                  \
  [CK_Q4_0] = ck_##PREFIX##_q4_0_##LEVEL, [CK_Q4_1] = ck_##PREFIX##_q4_1_##LEVEL,                            \
  [CK_Q5_0] = ck_##PREFIX##_q5_0_##LEVEL, [CK_Q5_1] = ck_##PREFIX##_q5_1_##LEVEL,                            \
  [CK_Q8_0] = ck_##PREFIX##_q8_0_##LEVEL, [CK_Q2_K] = ck_##PREFIX##_q2_K_##LEVEL,                            \
  [CK_Q3_K] = ck_##PREFIX##_q3_K_##LEVEL, [CK_Q4_K] = ck_##PREFIX##_q4_K_##LEVEL,                            \
  [CK_Q5_K] = ck_##PREFIX##_q5_K_##LEVEL, [CK_Q6_K] = ck_##PREFIX##_q6_K_##LEVEL

#define CK_DOT_ENTRIES(LEVEL)                                                                                \
  [CK_F32] = ck_dot_f32_##LEVEL, [CK_F16] = ck_dot_f16_##LEVEL, [CK_BF16] = ck_dot_bf16_##LEVEL,             \
  CK_QUANTIZED_ENTRIES(dot, LEVEL)

static const ck_kernels avx2 = {
  .quantize_vector = ck_quantize_vector_avx2,
  .quantize_group = ck_quantize_group_avx2,
  .quantize_batch = ck_quantize_batch_avx2,
  .dot = {CK_DOT_ENTRIES(avx2)},
  .batch = {CK_QUANTIZED_ENTRIES(batch, avx2)},
  .panel = {CK_PANEL_ENTRIES(avx2)},
};

static const ck_kernels avx512_vnni = {
  .quantize_vector = ck_quantize_vector_avx2,
  .quantize_group = ck_quantize_group_avx2,
  .quantize_batch = ck_quantize_batch_avx2,
  .dot = {CK_DOT_ENTRIES(avx512)},
  .batch = {CK_QUANTIZED_ENTRIES(batch, avx512)},
  .panel = {CK_PANEL_ENTRIES(avx512)},
};
#endif

CK_DOT_SIGNATURE(ck_dot_f32_scalar);

static const ck_kernels scalar = {.dot = {[CK_F32] = ck_dot_f32_scalar}};

const ck_kernels *ck_kernels_for(ck_level level) {
  switch (level) {
#if defined(__x86_64__)
  case CK_AVX2: return &avx2;
  case CK_AVX512_VNNI: return &avx512_vnni;
#elif defined(__aarch64__)
  case CK_NEON_DOTPROD:
  case CK_NEON_I8MM: return ck_arm_kernels_for(level);
#endif
  default: return &scalar;
  }
}
