#pragma once
// Activations of a small batch: 1 to 16 tokens, in quads of four.
//
// A kernel unpacks a step of 64 weights of one row into a register of four 16-byte lanes: first and second half of one
// block of 32, and of the next. Activations lie so that a lane's k-th four weights, repeated four times, meet the same
// four elements of four tokens: products add up in place, a lane for each half block and in it an int32 for each token.
// Nothing is transposed but the activations, once for all rows.
#include "ck_internal.h"

enum {
  CK_QUAD_BYTES = 256 + 64 + 64,  // a quad's part of a step: see ck_quad
  CK_QUAD_REST_BYTES = 128 + 32 + 32,
};

typedef struct ck_batch {
  size_t quads;
  const char *steps;  // [steps of 64 elements][quads][q: [4][2 blocks][2 halves][4 tokens][4], d: [2][2][4], s: [2][2][4]]
  // Blocks with a rest (see ck_vector) in any of the tokens, ascending.
  const char *rests;  // [rests][quads][q: [4][2 halves][4 tokens][4], d: [2][4], s: [2][4]]
  const uint32_t *rest_count;
  const uint16_t *rest_block;
} ck_batch;

CK_INLINE ck_batch ck_batch_at(const void *base, size_t columns, size_t tokens) {
  const size_t steps = (columns + 63) / 64, quads = (tokens + 3) / 4;
  const char *p = (const char *)base, *rests = p + steps * quads * CK_QUAD_BYTES;
  const char *count = rests + 2 * steps * quads * CK_QUAD_REST_BYTES;
  const ck_batch r = {quads, p, rests, (const uint32_t *)count, (const uint16_t *)(count + 4)};
  return r;
}

CK_INLINE size_t ck_batch_size(size_t columns, size_t tokens) {
  const size_t steps = (columns + 63) / 64, quads = (tokens + 3) / 4;
  return (steps * quads * (CK_QUAD_BYTES + 2 * CK_QUAD_REST_BYTES) + 4 + 4 * steps + 63) & ~(size_t)63;
}
