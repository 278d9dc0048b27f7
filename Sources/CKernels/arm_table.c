// Which Arm kernel runs for which element type at which level.
#include "arm_internal.h"

#if defined(__aarch64__)

#include "ck_dot_loop.h"
#include "ck_panel.h"

void ck_quantize_vector_neon(const float *, size_t, void *);
void ck_quantize_group_dotprod(const float *, size_t, size_t, void *);
void ck_quantize_group_i8mm(const float *, size_t, size_t, void *);

CK_DOT_SIGNATURE(ck_dot_f32_neon);
CK_DOT_SIGNATURE(ck_dot_f16_neon);
CK_DOT_SIGNATURE(ck_dot_bf16_neon);

#define QUANTIZED(DO)                                                                                        \
  DO(Q4_0, q4_0) DO(Q4_1, q4_1) DO(Q5_0, q5_0) DO(Q5_1, q5_1) DO(Q8_0, q8_0) DO(Q4_K, q4_K) DO(Q5_K, q5_K)   \
  DO(Q6_K, q6_K)

#define DECLARE(TYPE, NAME)                                                                                  \
  CK_DOT_SIGNATURE(ck_dot_##NAME##_dotprod);                                                                 \
  CK_PANEL_SIGNATURE(ck_panel_##NAME##_dotprod);                                                             \
  CK_PANEL_SIGNATURE(ck_panel_##NAME##_i8mm);
QUANTIZED(DECLARE)

#define DOT_ENTRY(TYPE, NAME) [CK_##TYPE] = ck_dot_##NAME##_dotprod,
#define DOTPROD_PANEL_ENTRY(TYPE, NAME) [CK_##TYPE] = ck_panel_##NAME##_dotprod,
#define I8MM_PANEL_ENTRY(TYPE, NAME) [CK_##TYPE] = ck_panel_##NAME##_i8mm,

#define DOTS                                                                                                 \
  { [CK_F32] = ck_dot_f32_neon, [CK_F16] = ck_dot_f16_neon, [CK_BF16] = ck_dot_bf16_neon, QUANTIZED(DOT_ENTRY) }

static const ck_kernels dotprod = {
  .quantize_vector = ck_quantize_vector_neon,
  .quantize_group = ck_quantize_group_dotprod,
  .dot = DOTS,
  .panel = {QUANTIZED(DOTPROD_PANEL_ENTRY)},
};

static const ck_kernels i8mm = {
  .quantize_vector = ck_quantize_vector_neon,
  .quantize_group = ck_quantize_group_i8mm,
  .dot = DOTS,
  .panel = {QUANTIZED(I8MM_PANEL_ENTRY)},
};

const ck_kernels *ck_arm_kernels_for(ck_level level) { return level == CK_NEON_I8MM ? &i8mm : &dotprod; }
#endif
