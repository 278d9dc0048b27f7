#pragma once
// Kernels of the forward pass beside matrix multiplication: norm, rope, SwiGLU, attention. For the Tensor target only.
#include <stddef.h>
#include <stdint.h>

/// Positions that one panel of keys holds side by side: element d of the panel's keys lies at [d * 16 ..< d * 16 + 16].
#define CK_KEY_PANEL 16
/// Positions of one block of the key-value cache.
#define CK_CACHE_BLOCK 256
/// Elements of a key or value that share a scale in a cache of 8-bit elements.
#define CK_CACHE_SCALE 32
/// Keys that one step of `attend_tile` takes at once.
#define CK_KEY_TILE 64
/// Most query rows that one call of `attend_tile` takes.
#define CK_QUERY_TILE 96

/// Running state of an online softmax over `rows` query rows: `maximum[r]`, `sum[r]` and the unnormalised
/// `output[r * value_stride ..]`. Start: maximum -inf, sum 0, output 0.
typedef struct {
  float *maximum;
  float *sum;
  float *output;
} ck_softmax_state;

/// The keys and values of one cache block and one key-value head. `keys`: panels of 16 positions, each `key_length` x
/// 16; `values`: panels of 16 rows of `value_stride` (a multiple of 16). Panels of 8-bit elements (q8) are followed by 16
/// binary16 scales, one a position, for every 32 elements of a row. The first `positions` positions are valid; memory is
/// there for all 256.
typedef struct {
  const void *keys;
  const void *values;
  size_t key_length;
  size_t value_stride;
  size_t positions;
} ck_cache_block;

/// One instruction set's kernels. Lengths are in elements; no pointer has to be aligned beyond its element.
typedef struct {
  const char *name;
  /// x[i] += delta[i] (unless `delta` is NULL), then out[i] = x[i] / sqrt(mean(x^2) + epsilon) * weight[i].
  void (*rms_norm)(float *out, float *x, const float *delta, const float *weight, size_t n, float epsilon);
  /// x[i] += y[i].
  void (*add)(float *x, const float *y, size_t n);
  /// out[i] = x[i] * factor.
  void (*scale)(float *out, const float *x, float factor, size_t n);
  /// Merges the states of `rows` rows, `width` (a multiple of 16) elements each, over other keys into `into`.
  void (*merge)(ck_softmax_state into, ck_softmax_state from, size_t rows, size_t width);
  /// gate[i] = silu(gate[i]) * up[i].
  void (*swiglu)(float *gate, const float *up, size_t n);
  /// Rotates the pairs (2i, 2i + 1) of one head of 2 * half elements.
  void (*rope_pairs)(float *x, const float *cosines, const float *sines, size_t half);
  /// Rotates the pairs (i, i + half) of one head of 2 * half elements.
  void (*rope_halves)(float *x, const float *cosines, const float *sines, size_t half);
  /// Writes a key of n elements into lane `lane` of a panel.
  void (*store_key_f16)(void *panel, size_t lane, const float *x, size_t n);
  /// Writes n elements of a value row.
  void (*store_value_f16)(void *row, const float *x, size_t n);
  /// Writes a key of n elements, rounded to 8 bits, and its scales into lane `lane` of a panel.
  void (*store_key_q8)(void *panel, size_t lane, const float *x, size_t n);
  /// Writes n elements of a value into row `lane` of a panel of rows of `stride`, and their scales.
  void (*store_value_q8)(void *panel, size_t lane, const float *x, size_t n, size_t stride);
  /// One token or a few: `rows` queries (scaled) in token order, `rows_per_token` of each; the first token sees the first
  /// `visible` >= 1 positions of the block, each later token one more, up to all. What a row gets depends on its query and
  /// on what it sees, to the bit, and not on the other rows.
  void (*attend_rows_f16)(const float *queries, size_t rows, size_t rows_per_token, size_t visible,
                         const ck_cache_block *block, ck_softmax_state state);
  void (*attend_rows_f32)(const float *queries, size_t rows, size_t rows_per_token, size_t visible,
                         const ck_cache_block *block, ck_softmax_state state);
  void (*attend_rows_q8)(const float *queries, size_t rows, size_t rows_per_token, size_t visible,
                         const ck_cache_block *block, ck_softmax_state state);
  /// Many tokens: `rows` <= 96 queries in token order, `rows_per_token` of each; the first token may see the first
  /// `visible` positions of the block (which may be negative), each later token one more. `scratch` holds
  /// 64 * (key_length + value_stride + rows) floats.
  void (*attend_tile_f16)(const float *queries, size_t rows, size_t rows_per_token, ptrdiff_t visible,
                          const ck_cache_block *block, ck_softmax_state state, float *scratch);
  void (*attend_tile_f32)(const float *queries, size_t rows, size_t rows_per_token, ptrdiff_t visible,
                          const ck_cache_block *block, ck_softmax_state state, float *scratch);
  void (*attend_tile_q8)(const float *queries, size_t rows, size_t rows_per_token, ptrdiff_t visible,
                         const ck_cache_block *block, ck_softmax_state state, float *scratch);
} ck_forward_kernels;

/// The best kernels for this CPU, or NULL when there are none (the Swift twins serve then).
const ck_forward_kernels *ck_forward_best(void);
/// The `index`-th set that this CPU can run, best first; NULL past the end. For tests.
const ck_forward_kernels *ck_forward_variant(size_t index);
