#pragma once
// Panels: 32 rows of weights, unpacked to bytes and interleaved so that one load holds four neighbouring elements of
// many rows. A panel covers a slice of the columns that stays in a core's first-level cache, serves all tokens of the
// chunk, and is thrown away.
#include "ck_internal.h"

// Columns in a slice: 16 KB of panel, with its scales and a group's activations well inside 32 KB.
enum { CK_SLICE_COLUMNS = 512, CK_SLICE_BLOCKS = CK_SLICE_COLUMNS / 32 };

typedef struct ck_panel {
  uint8_t q[CK_SLICE_COLUMNS / 4][CK_PANEL_ROWS][4];
  float scale[2 * CK_SLICE_BLOCKS][CK_PANEL_ROWS];  // a block of 32, or each half of it where the format has scales of 16
  float minimum[CK_SLICE_BLOCKS][CK_PANEL_ROWS];    // formats with a minimum: weight = scale * q + minimum
} ck_panel;

/// Fills `panel` with blocks (of 32 columns) first ..< first + count of 32 rows.
typedef void (*ck_pack_function)(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);

void ck_pack_q4_0(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);
void ck_pack_q4_1(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);
void ck_pack_q5_0(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);
void ck_pack_q5_1(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);
void ck_pack_q8_0(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);
void ck_pack_q4_K(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);
void ck_pack_q5_K(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);
void ck_pack_q6_K(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel);

/// Adds the products of `count` blocks with `tokens` (1 to 8) tokens of a group to sums[token][row]: blocks 0 ..< count of
/// the panel, or those that `indices` names, counted from block `first` on.
typedef void (*ck_multiply_function)(
  const ck_panel *panel, size_t count, const uint16_t *indices, size_t first, ck_group_blocks group, size_t tokens,
  float (*sums)[CK_PANEL_ROWS]);

// Scratch: a panel, then the sums of all groups.
CK_INLINE size_t ck_panel_scratch_size(size_t tokens) {
  const size_t groups = (tokens + CK_GROUP_TOKENS - 1) / CK_GROUP_TOKENS;
  return sizeof(ck_panel) + groups * CK_GROUP_TOKENS * CK_PANEL_ROWS * sizeof(float);
}

/// The whole of a panel function: packs slice after slice and multiplies each with every group.
CK_INLINE void ck_multiply_panel(
  ck_pack_function pack, ck_multiply_function multiply, const void *const *rows, size_t row_count, size_t columns,
  const void *groups, size_t tokens, float *out, size_t out_stride, void *scratch
) {
  const uint8_t *all_rows[CK_PANEL_ROWS];
  // A panel with fewer rows repeats the last; the products of repetitions are not stored.
  for (size_t r = 0; r < CK_PANEL_ROWS; r++) all_rows[r] = (const uint8_t *)rows[r < row_count ? r : row_count - 1];
  ck_panel *panel = (ck_panel *)scratch;
  float(*sums)[CK_PANEL_ROWS] = (float(*)[CK_PANEL_ROWS])(panel + 1);
  const size_t blocks = columns / 32, group_bytes = ck_group_bytes(columns);
  memset(sums, 0, ck_panel_scratch_size(tokens) - sizeof(ck_panel));
  for (size_t first = 0; first < blocks; first += CK_SLICE_BLOCKS) {
    const size_t count = blocks - first < CK_SLICE_BLOCKS ? blocks - first : CK_SLICE_BLOCKS;
    pack(all_rows, first, count, panel);
    for (size_t t = 0; t < tokens; t += CK_GROUP_TOKENS) {
      const ck_group g = ck_group_at((const char *)groups + t / CK_GROUP_TOKENS * group_bytes, columns);
      const size_t n = tokens - t < CK_GROUP_TOKENS ? tokens - t : CK_GROUP_TOKENS;
      multiply(panel, count, NULL, 0, ck_group_blocks_from(g.all, first), n, sums + t);
      const size_t rest_count = *g.rest_count;
      size_t from = 0;
      while (from < rest_count && g.rest_block[from] < first) from++;
      size_t end = from;
      while (end < rest_count && g.rest_block[end] < first + count) end++;
      if (end > from) {
        multiply(panel, end - from, g.rest_block + from, first, ck_group_blocks_from(g.rest, from), n, sums + t);
      }
    }
  }
  for (size_t t = 0; t < tokens; t++) memcpy(out + t * out_stride, sums[t], row_count * sizeof(float));
}

#define CK_PANEL_SIGNATURE(NAME)                                                                             \
  void NAME(                                                                                                 \
    const void *const *rows, size_t row_count, size_t columns, const void *groups, size_t tokens, float *out, \
    size_t out_stride, void *scratch)
