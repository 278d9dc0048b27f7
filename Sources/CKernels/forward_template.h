// The kernels of ck_forward.h, written once with the compiler's vector types and compiled once an instruction set.
// The including file defines LANES (floats in a vector), TILE_VECTORS (vectors across a matrix tile), ROW_GROUP (query
// rows that one pass of attend_rows serves), ROW_SUMS (sums that such a pass keeps in registers) and SUFFIX, and has set the functions' target attribute.
#include <math.h>
#include <string.h>

#include "include/ck_forward.h"

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define NAMED(a) JOIN(a, SUFFIX)
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

typedef float vf __attribute__((vector_size(4 * LANES)));
typedef int32_t vi __attribute__((vector_size(4 * LANES)));
typedef float vf_u __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef _Float16 vh_u __attribute__((vector_size(2 * LANES), aligned(2), may_alias));
typedef float cache_f32;
typedef _Float16 cache_f16;

INLINE vf load(const float *p) { return *(const vf_u *)p; }
INLINE void store(float *p, vf v) { *(vf_u *)p = v; }
INLINE vf broadcast(float x) { return x - (vf){0}; }
INLINE vf fma_(vf a, vf b, vf c) { return __builtin_elementwise_fma(a, b, c); }
INLINE vf load_f32(const cache_f32 *p) { return *(const vf_u *)p; }
INLINE vf load_f16(const cache_f16 *p) { return __builtin_convertvector(*(const vh_u *)p, vf); }
// Both keep a NaN in `b`, so that one anywhere shows up in the logits.
INLINE vf select_(vi which, vf a, vf b) { return (vf)((which & (vi)a) | (~which & (vi)b)); }
INLINE vf max_(vf a, vf b) { return select_(a > b, a, b); }
INLINE vf min_(vf a, vf b) { return select_(a < b, a, b); }

// The vector with its lanes rotated by `n`, for reductions in log2(LANES) steps.
#if LANES == 16
#define ROTATED(v, n)                                                                                             \
  __builtin_shufflevector(v, v, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, \
                          n + 12, n + 13, n + 14, n + 15)
#elif LANES == 8
#define ROTATED(v, n) __builtin_shufflevector(v, v, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7)
#else
#define ROTATED(v, n) __builtin_shufflevector(v, v, n, n + 1, n + 2, n + 3)
#endif

INLINE float sum_of(vf v) {
#if LANES == 16
  v += ROTATED(v, 8);
#endif
#if LANES >= 8
  v += ROTATED(v, 4);
#endif
  v += ROTATED(v, 2);
  v += ROTATED(v, 1);
  return v[0];
}
INLINE float max_of(vf v) {
#if LANES == 16
  v = max_(ROTATED(v, 8), v);
#endif
#if LANES >= 8
  v = max_(ROTATED(v, 4), v);
#endif
  v = max_(ROTATED(v, 2), v);
  v = max_(ROTATED(v, 1), v);
  return v[0];
}

/// e^x within 2 units in the last place; 0 below -87.3, clamped above 88.
INLINE vf exp_(vf x) {
  const vf low = broadcast(-87.3f), high = broadcast(88.0f);
  vi underflow = x < low;
  vf t = min_(high, max_(low, x));
  // Round x / ln 2 to an integer by adding 1.5 * 2^23, which leaves the integer in the low mantissa bits.
  vf shifted = fma_(t, broadcast(1.44269504f), broadcast(12582912.0f));
  vf n = shifted - broadcast(12582912.0f);
  vf r = fma_(n, broadcast(-0.693145752f), t);
  r = fma_(n, broadcast(-1.42860677e-6f), r);
  vf p = broadcast(1.0f / 5040);
  p = fma_(p, r, broadcast(1.0f / 720));
  p = fma_(p, r, broadcast(1.0f / 120));
  p = fma_(p, r, broadcast(1.0f / 24));
  p = fma_(p, r, broadcast(1.0f / 6));
  p = fma_(p, r, broadcast(0.5f));
  p = fma_(p, r, broadcast(1.0f));
  p = fma_(p, r, broadcast(1.0f));
  vi bits = ((vi)shifted << 23) + (vi)p;
  return (vf)(~underflow & bits);
}

static void NAMED(rms_norm)(float *out, float *x, const float *delta, const float *weight, size_t n, float epsilon) {
  vf s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  float tail = 0;
  size_t i = 0;
  if (delta) {
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
      vf a = load(x + i) + load(delta + i), b = load(x + i + LANES) + load(delta + i + LANES);
      store(x + i, a);
      store(x + i + LANES, b);
      s0 = fma_(a, a, s0);
      s1 = fma_(b, b, s1);
    }
    for (; i < n; i++) {
      x[i] += delta[i];
      tail += x[i] * x[i];
    }
  } else {
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
      vf a = load(x + i), b = load(x + i + LANES), c = load(x + i + 2 * LANES), d = load(x + i + 3 * LANES);
      s0 = fma_(a, a, s0);
      s1 = fma_(b, b, s1);
      s2 = fma_(c, c, s2);
      s3 = fma_(d, d, s3);
    }
    for (; i < n; i++) tail += x[i] * x[i];
  }
  float mean = (sum_of((s0 + s1) + (s2 + s3)) + tail) / (float)n;
  float factor = 1.0f / sqrtf(mean + epsilon);
  vf f = broadcast(factor);
  for (i = 0; i + LANES <= n; i += LANES) store(out + i, load(x + i) * f * load(weight + i));
  for (; i < n; i++) out[i] = x[i] * factor * weight[i];
}

static void NAMED(add)(float *x, const float *y, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) store(x + i, load(x + i) + load(y + i));
  for (; i < n; i++) x[i] += y[i];
}

static void NAMED(scale)(float *out, const float *x, float factor, size_t n) {
  size_t i = 0;
  vf f = broadcast(factor);
  for (; i + LANES <= n; i += LANES) store(out + i, load(x + i) * f);
  for (; i < n; i++) out[i] = x[i] * factor;
}

static void NAMED(merge)(ck_softmax_state into, ck_softmax_state from, size_t rows, size_t width) {
  for (size_t r = 0; r < rows; r++) {
    const float a = into.maximum[r], b = from.maximum[r], m = b > a ? b : a;
    const vf f = exp_(broadcast(a - m)), g = exp_(broadcast(b - m));
    float *x = into.output + r * width;
    const float *y = from.output + r * width;
    for (size_t i = 0; i < width; i += LANES) store(x + i, fma_(load(y + i), g, load(x + i) * f));
    into.sum[r] = fmaf(from.sum[r], g[0], into.sum[r] * f[0]);
    into.maximum[r] = m;
  }
}

static void NAMED(swiglu)(float *gate, const float *up, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    vf g = load(gate + i);
    store(gate + i, g / (broadcast(1.0f) + exp_(-g)) * load(up + i));
  }
  if (i < n) {
    float part[LANES] = {0};
    memcpy(part, gate + i, (n - i) * sizeof(float));
    vf g = load(part);
    store(part, g / (broadcast(1.0f) + exp_(-g)));
    for (size_t j = 0; i + j < n; j++) gate[i + j] = part[j] * up[i + j];
  }
}

static void NAMED(rope_pairs)(float *x, const float *cosines, const float *sines, size_t half) {
  for (size_t i = 0; i < half; i++) {
    float a = x[2 * i], b = x[2 * i + 1];
    x[2 * i] = a * cosines[i] - b * sines[i];
    x[2 * i + 1] = a * sines[i] + b * cosines[i];
  }
}

static void NAMED(rope_halves)(float *x, const float *cosines, const float *sines, size_t half) {
  size_t i = 0;
  for (; i + LANES <= half; i += LANES) {
    vf a = load(x + i), b = load(x + half + i), c = load(cosines + i), s = load(sines + i);
    store(x + i, fma_(a, c, -(b * s)));
    store(x + half + i, fma_(a, s, b * c));
  }
  for (; i < half; i++) {
    float a = x[i], b = x[half + i];
    x[i] = a * cosines[i] - b * sines[i];
    x[half + i] = a * sines[i] + b * cosines[i];
  }
}

static void NAMED(store_key_f16)(void *panel, size_t lane, const float *x, size_t n) {
  cache_f16 *out = (cache_f16 *)panel + lane;
  for (size_t i = 0; i < n; i++) out[i * CK_KEY_PANEL] = (cache_f16)x[i];
}

static void NAMED(store_value_f16)(void *row, const float *x, size_t n) {
  cache_f16 *out = row;
  for (size_t i = 0; i < n; i++) out[i] = (cache_f16)x[i];
}

/// Turns `n` scores of one row into weights relative to the row's new maximum, moves the row's state there, and zeroes
/// the scores from `n` up to `padded`.
INLINE void fold_scores(float *scores, size_t n, size_t padded, float *maximum, float *sum, float *output, size_t width) {
  vf top = broadcast(*maximum);
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) top = max_(load(scores + i), top);
  float m = max_of(top);
  for (; i < n; i++) m = scores[i] > m ? scores[i] : m;
  float factor = exp_(broadcast(*maximum - m))[0];
  // Nothing was seen yet, so there is nothing to move.
  if (*maximum == -INFINITY) factor = 1;
  for (i = n; i < padded; i++) scores[i] = -INFINITY;
  vf shift = broadcast(m), total = {0};
  for (i = 0; i + LANES <= padded; i += LANES) {
    vf p = exp_(load(scores + i) - shift);
    store(scores + i, p);
    total += p;
  }
  *maximum = m;
  *sum = *sum * factor + sum_of(total);
  if (factor != 1.0f) {
    vf f = broadcast(factor);
    for (i = 0; i < width; i += LANES) store(output + i, load(output + i) * f);
  }
}

/// c[r][..] (+)= a[r][..k] * b for `rows` rows and `vectors` vectors across. Vector j of row k of b lies at
/// b + (j / PER_PANEL) * panel_step + (j % PER_PANEL) * LANES + k * row_step: panels of keys with row_step 16, and plain
/// rows with panel_step 16.
#define PER_PANEL (CK_KEY_PANEL / LANES)
INLINE void matrix_tile(const float *a, size_t a_step, const float *b, size_t row_step, size_t panel_step, float *c,
                        size_t c_step, size_t k, int accumulate, const int rows, const int vectors) {
  vf sum[6][TILE_VECTORS];
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) sum[r][j] = accumulate ? load(c + r * c_step + j * LANES) : (vf){0};
  for (size_t i = 0; i < k; i++) {
    vf across[TILE_VECTORS];
    UNROLL for (int j = 0; j < vectors; j++)
      across[j] = load(b + i * row_step + (j / PER_PANEL) * panel_step + (j % PER_PANEL) * LANES);
    UNROLL for (int r = 0; r < rows; r++) {
      vf x = broadcast(a[r * a_step + i]);
      UNROLL for (int j = 0; j < vectors; j++) sum[r][j] = fma_(x, across[j], sum[r][j]);
    }
  }
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) store(c + r * c_step + j * LANES, sum[r][j]);
}

#define TILE_CASE(n, vectors)                                                                                    \
  case n:                                                                                                        \
    matrix_tile(a + r * a_step, a_step, b, row_step, panel_step, c + r * c_step, c_step, k, accumulate, n, vectors); \
    break;
#define MATRIX_COLUMN(name, vectors)                                                                              \
  static void NAMED(name)(const float *a, size_t a_step, size_t rows, const float *b, size_t row_step,            \
                          size_t panel_step, float *c, size_t c_step, size_t k, int accumulate) {                 \
    for (size_t r = 0; r < rows; r += 6) switch (rows - r) {                                                      \
        TILE_CASE(1, vectors)                                                                                     \
        TILE_CASE(2, vectors)                                                                                     \
        TILE_CASE(3, vectors)                                                                                     \
        TILE_CASE(4, vectors)                                                                                     \
        TILE_CASE(5, vectors)                                                                                     \
      default:                                                                                                    \
        matrix_tile(a + r * a_step, a_step, b, row_step, panel_step, c + r * c_step, c_step, k, accumulate, 6,    \
                    vectors);                                                                                     \
      }                                                                                                           \
  }
MATRIX_COLUMN(column_wide, TILE_VECTORS)
MATRIX_COLUMN(column_narrow, 1)

// Elements that a pass over the cache fetches ahead of itself. Keys, values and the next head follow each other in memory,
// so this always leads to what comes next. Measured from memory, one thread: 17 GB/s without, 20 with 2 KB, 25 with 4,
// 31 with 8.
#define AHEAD_BYTES 8192

#define PADDED(positions) (((positions) + CK_KEY_PANEL - 1) / CK_KEY_PANEL * CK_KEY_PANEL)

#define CACHE f16
#include "forward_cache_float.h"
#include "forward_attention.h"
#undef CACHE
#define CACHE f32
#include "forward_cache_float.h"
#include "forward_attention.h"
#undef CACHE
#define CACHE q8
#include "forward_cache_q8.h"
#include "forward_attention.h"
#undef CACHE

const ck_forward_kernels NAMED(ck_forward) = {
    .name = SET_NAME,
    .rms_norm = NAMED(rms_norm),
    .add = NAMED(add),
    .scale = NAMED(scale),
    .merge = NAMED(merge),
    .swiglu = NAMED(swiglu),
    .rope_pairs = NAMED(rope_pairs),
    .rope_halves = NAMED(rope_halves),
    .store_key_f16 = NAMED(store_key_f16),
    .store_value_f16 = NAMED(store_value_f16),
    .store_key_q8 = NAMED(store_key_q8),
    .store_value_q8 = NAMED(store_value_q8),
    .attend_rows_f16 = attend_rows_f16,
    .attend_rows_f32 = attend_rows_f32,
    .attend_rows_q8 = attend_rows_q8,
    .attend_tile_f16 = attend_tile_f16,
    .attend_tile_f32 = attend_tile_f32,
    .attend_tile_q8 = attend_tile_q8,
};
