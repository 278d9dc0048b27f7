// Activations rounded to 8 bits in blocks of 32, NEON.
//
// The Arm kernels take weights as signed bytes and need no sums by fours: of a vector's parts only q, d, s and the rests
// are written and read, of a group's blocks q, d and s.
#include "arm_internal.h"

#if defined(__aarch64__)

typedef struct block32 {
  int8x16_t q0, q1;
  float d, s;  // scale, and scale times the sum of the bytes
} block32;

CK_INLINE int8x16_t narrow(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d) {
  const int16x8_t low = vcombine_s16(vmovn_s32(a), vmovn_s32(b)), high = vcombine_s16(vmovn_s32(c), vmovn_s32(d));
  return vcombine_s8(vmovn_s16(low), vmovn_s16(high));
}

CK_INLINE block32 quantize32(const float *x) {
  float32x4_t v[8], size = vdupq_n_f32(0);
  for (int i = 0; i < 8; i++) {
    v[i] = vld1q_f32(x + 4 * i);
    size = vmaxq_f32(size, vabsq_f32(v[i]));  // a NaN stays one
  }
  const float largest = vmaxvq_f32(size);
  block32 r;
  r.d = largest * (1.0f / 127.0f);
  // Below this the inverse could overflow; such a block counts as zeros. An infinite or NaN scale stays what it is,
  // and ones keep it visible in every product.
  if (largest < 1e-30f) {
    r.d = 0;
    r.q0 = r.q1 = vdupq_n_s8(0);
  } else if (largest <= __FLT_MAX__) {
    const float inverse = 127.0f / largest;
    int32x4_t i[8];
    // |x * 127 / largest| <= 127 but for rounding, less than 127.5 by far: the nearest integer is within +-127.
    for (int k = 0; k < 8; k++) i[k] = vcvtnq_s32_f32(vmulq_n_f32(v[k], inverse));
    r.q0 = narrow(i[0], i[1], i[2], i[3]);
    r.q1 = narrow(i[4], i[5], i[6], i[7]);
  } else {
    r.q0 = r.q1 = vdupq_n_s8(1);
  }
  r.s = r.d * (float)(vaddlvq_s8(r.q0) + vaddlvq_s8(r.q1));
  return r;
}

// Rounds what the first rounding left of a block.
CK_INLINE block32 quantize_rest(const float *x, block32 first) {
  int8_t q[32];
  float rest[32];
  vst1q_s8(q, first.q0);
  vst1q_s8(q + 16, first.q1);
  for (size_t i = 0; i < 32; i++) rest[i] = __builtin_fmaf(-(float)q[i], first.d, x[i]);
  return quantize32(rest);
}

void ck_quantize_vector_neon(const float *x, size_t columns, void *vector) {
  const ck_vector v = ck_vector_at(vector, columns);
  int8_t *q = (int8_t *)v.q, *rest_q = (int8_t *)v.rest_q;
  float *d = (float *)v.d, *s = (float *)v.s, roots = 0;
  const size_t blocks = columns / 32;
  for (size_t b = 0; b < blocks; b++) {
    const block32 r = quantize32(x + 32 * b);
    vst1q_s8(q + 32 * b, r.q0);
    vst1q_s8(q + 32 * b + 16, r.q1);
    d[b] = r.d;
    s[b] = r.s;
    roots += __builtin_sqrtf(r.d);
  }
  const float mean = roots / (float)blocks, threshold = CK_REST_FACTOR * mean * mean;
  uint32_t count = 0;
  for (size_t b = 0; b < blocks; b++) {
    // Not so for an infinite or NaN scale: the threshold is one as well.
    if (!(d[b] > threshold)) continue;
    const block32 first = {vld1q_s8(q + 32 * b), vld1q_s8(q + 32 * b + 16), d[b], s[b]};
    const block32 r = quantize_rest(x + 32 * b, first);
    vst1q_s8(rest_q + 32 * count, r.q0);
    vst1q_s8(rest_q + 32 * count + 16, r.q1);
    ((float *)v.rest_d)[count] = r.d;
    ((float *)v.rest_s)[2 * count] = r.s;
    ((uint16_t *)v.rest_block)[count++] = (uint16_t)b;
  }
  *(uint32_t *)v.rest_count = count;
}

// Writes token `t` of a group's block `b`, `step` neighbouring elements of the eight tokens side by side.
CK_INLINE void store_token(ck_group_blocks g, size_t b, size_t t, block32 r, size_t step) {
  int8_t bytes[32], *q = (int8_t *)g.q + 256 * b + step * t;
  vst1q_s8(bytes, r.q0);
  vst1q_s8(bytes + 16, r.q1);
  for (size_t k = 0; k < 32; k += step) memcpy(q + CK_GROUP_TOKENS * k, bytes + k, step);
  ((float *)g.d)[8 * b + t] = r.d;
  ((float *)g.s)[8 * b + t] = r.s;
}

CK_INLINE block32 no_block(void) { return (block32){vdupq_n_s8(0), vdupq_n_s8(0), 0, 0}; }

#define GROUP_TARGET
#include "quantize_group.h"

void ck_quantize_group_dotprod(const float *x, size_t columns, size_t tokens, void *group) {
  quantize_group(x, columns, tokens, group, 4);
}

void ck_quantize_group_i8mm(const float *x, size_t columns, size_t tokens, void *group) {
  quantize_group(x, columns, tokens, group, 8);
}
#endif
