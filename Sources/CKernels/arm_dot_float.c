// Dot products of plain floating-point rows with a few float vectors, NEON.
#include "arm_internal.h"

#if defined(__aarch64__)

#include "ck_dot_loop.h"

typedef struct float8 { float32x4_t a, b; } float8;
typedef float8 (*loader)(const uint8_t *, size_t);
typedef float (*element)(const uint8_t *, size_t);

// Rows of a file are aligned to their elements only in files that are well made: loaded as bytes.
CK_INLINE float8 load_f32(const uint8_t *row, size_t k) {
  const uint8_t *p = row + 4 * k;
  const float8 r = {vreinterpretq_f32_u8(vld1q_u8(p)), vreinterpretq_f32_u8(vld1q_u8(p + 16))};
  return r;
}

CK_INLINE float8 load_f16(const uint8_t *row, size_t k) {
  const float16x8_t h = vreinterpretq_f16_u8(vld1q_u8(row + 2 * k));
  const float8 r = {vcvt_f32_f16(vget_low_f16(h)), vcvt_f32_f16(vget_high_f16(h))};
  return r;
}

CK_INLINE float8 load_bf16(const uint8_t *row, size_t k) {
  const uint16x8_t h = vreinterpretq_u16_u8(vld1q_u8(row + 2 * k));
  const float8 r = {
    vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(h), 16)), vreinterpretq_f32_u32(vshll_n_u16(vget_high_u16(h), 16))};
  return r;
}

CK_INLINE float element_f32(const uint8_t *row, size_t k) {
  float v;
  memcpy(&v, row + 4 * k, sizeof v);
  return v;
}

CK_INLINE float element_f16(const uint8_t *row, size_t k) { return ck_arm_half(row + 2 * k); }

CK_INLINE float element_bf16(const uint8_t *row, size_t k) {
  const uint32_t bits = (uint32_t)ck_load16(row + 2 * k) << 16;
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

CK_INLINE void dot_row(
  loader load, element at, const uint8_t *row, size_t width, size_t columns, const char *vectors, size_t vector_bytes,
  size_t n, float *out, size_t out_stride
) {
  float32x4_t a[4], b[4];
  const float *v[4];
  for (size_t t = 0; t < n; t++) {
    a[t] = b[t] = vdupq_n_f32(0);
    v[t] = (const float *)(vectors + t * vector_bytes);
  }
  size_t k = 0;
  for (; k + 8 <= columns; k += 8) {
    ck_prefetch(row + width * k + CK_PREFETCH_DISTANCE);
    const float8 w = load(row, k);
    for (size_t t = 0; t < n; t++) {
      a[t] = vfmaq_f32(a[t], w.a, vld1q_f32(v[t] + k));
      b[t] = vfmaq_f32(b[t], w.b, vld1q_f32(v[t] + k + 4));
    }
  }
  for (size_t t = 0; t < n; t++) {
    float sum = vaddvq_f32(vaddq_f32(a[t], b[t]));
    for (size_t i = k; i < columns; i++) sum = __builtin_fmaf(at(row, i), v[t][i], sum);
    out[t * out_stride] = sum;
  }
}

#define DOT(NAME, WIDTH)                                                                                     \
  CK_DOT_SIGNATURE(ck_dot_##NAME##_neon) {                                                                   \
    const size_t vector_bytes = columns * sizeof(float);                                                     \
    CK_DOT_LOOP_STRIDED(4, dot_row(load_##NAME, element_##NAME, row, WIDTH, columns, v, vector_bytes, CK_COUNT, o, \
                                   out_stride), )                                                            \
  }

DOT(f32, 4)
DOT(f16, 2)
DOT(bf16, 2)
#endif
