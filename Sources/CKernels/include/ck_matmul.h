#pragma once
#include <stddef.h>
#include <stdint.h>

#include "ck_level.h"

// Element types are the type numbers of the GGUF format.
enum {
  CK_F32 = 0, CK_F16 = 1, CK_Q4_0 = 2, CK_Q4_1 = 3, CK_Q5_0 = 6, CK_Q5_1 = 7, CK_Q8_0 = 8,
  CK_Q2_K = 10, CK_Q3_K = 11, CK_Q4_K = 12, CK_Q5_K = 13, CK_Q6_K = 14, CK_BF16 = 30,
  CK_TYPE_COUNT = 31,
};

/// Rows of weights in a panel, and tokens in a group of panel activations.
enum { CK_PANEL_ROWS = 32, CK_GROUP_TOKENS = 8 };

/// Most tokens of a small batch.
enum { CK_BATCH_TOKENS = 16 };

/// Dot products of `row_count` rows (`row_stride` bytes apart) with each of `tokens` activation vectors.
///
/// `vectors` holds quantised vectors of `ck_vector_bytes(columns)` bytes each, 64-byte aligned; for the plain
/// floating-point types `columns` floats each. The product of token t with row r is written to out[t * out_stride + r].
typedef void (*ck_dot_function)(
  const void *rows, size_t row_stride, size_t row_count, size_t columns, const void *vectors, size_t tokens, float *out,
  size_t out_stride);

/// Products of up to CK_PANEL_ROWS rows, given by their addresses, with all tokens of `group_count` activation groups.
///
/// `groups` holds groups of `ck_group_bytes(columns)` bytes each, 64-byte aligned. Products of the first `tokens` tokens
/// are written to out[t * out_stride + r]. `scratch` has `ck_panel_scratch_bytes(tokens)` bytes, 64-byte aligned.
typedef void (*ck_panel_function)(
  const void *const *rows, size_t row_count, size_t columns, const void *groups, size_t tokens, float *out,
  size_t out_stride, void *scratch);

/// Rounds the activations of some tokens to 8 bits, in the layout of a route.
typedef void (*ck_quantize_tokens_function)(const float *x, size_t columns, size_t tokens, void *target);

/// The kernels of one level. Functions are NULL where the level has none for a type.
typedef struct ck_kernels {
  /// Rounds `columns` floats (a multiple of 32) to 8 bits in blocks of 32.
  void (*quantize_vector)(const float *x, size_t columns, void *vector);
  /// Rounds up to CK_GROUP_TOKENS rows of floats, `columns` apart, to one group; absent tokens become zeros.
  ck_quantize_tokens_function quantize_group;
  /// Rounds 1 to CK_BATCH_TOKENS rows of floats, `columns` apart, to a small batch.
  ck_quantize_tokens_function quantize_batch;
  ck_dot_function dot[CK_TYPE_COUNT];
  /// Like `dot`, of a small batch of `ck_batch_bytes(columns, tokens)` bytes, 64-byte aligned, instead of vectors.
  ck_dot_function batch[CK_TYPE_COUNT];
  ck_panel_function panel[CK_TYPE_COUNT];
} ck_kernels;

/// The kernels of `level`, which this machine must be able to run.
const ck_kernels *ck_kernels_for(ck_level level);

/// Bytes of one quantised activation vector.
size_t ck_vector_bytes(size_t columns);
/// Bytes of one group of quantised activations.
size_t ck_group_bytes(size_t columns);
/// Bytes of a small batch of quantised activations.
size_t ck_batch_bytes(size_t columns, size_t tokens);
/// Bytes of scratch for one call of a panel function.
size_t ck_panel_scratch_bytes(size_t tokens);
