// Attention over one cache block. Included by forward_template.h once an element type of the cache, after the file that
// says how panels of that type are read: key_panel_bytes, score_panels, add_values, widen_keys, widen_values.
#define CACHED(a) JOIN(a, CACHE)

/// What one row sees of the values from position `first` up to `end`, beyond what its group shares.
static __attribute__((noinline)) void CACHED(add_rest)(const float *weights, const ck_cache_block *block, size_t first,
                                                       size_t end, float *output) {
  const int wide = ROW_SUMS >= 4 ? 4 : 2;
  size_t d = 0;
  for (; d + wide * LANES <= block->value_stride; d += wide * LANES)
    CACHED(add_values)(weights, block->values, d, first, end, block->value_stride, output + d, 1, wide);
  for (; d < block->value_stride; d += LANES)
    CACHED(add_values)(weights, block->values, d, first, end, block->value_stride, output + d, 1, 1);
}

/// Neither the rows beside a row nor the positions that they see beyond its own change a bit of it: a score is one chain
/// of multiply-adds over the elements, a row's weights are its own, and its values are added one position after the other.
INLINE void CACHED(attend_group)(const float *queries, const size_t *seen, const ck_cache_block *block,
                                 ck_softmax_state state, const int rows) {
  // Enough independent sums to hide the latency of a multiply-add, but few streams for the prefetcher.
  const int panels = rows * PER_PANEL <= 2 ? 4 : rows * PER_PANEL <= 4 ? 2 : 1;
  const int wide = rows * 4 <= ROW_SUMS ? 4 : 2;
  float scores[ROW_GROUP * CK_CACHE_BLOCK];
  const char *keys = block->keys;
  const size_t panel_bytes = CACHED(key_panel_bytes)(block->key_length);
  // Rows are in token order: the first sees the fewest positions, the last the most.
  const size_t shared = seen[0], most = PADDED(seen[rows - 1]);
  size_t p = 0;
  for (; p + panels * CK_KEY_PANEL <= most; p += panels * CK_KEY_PANEL)
    CACHED(score_panels)(queries, keys + p / CK_KEY_PANEL * panel_bytes, block->key_length, scores + p, rows, panels);
  for (; p < most; p += CK_KEY_PANEL)
    CACHED(score_panels)(queries, keys + p / CK_KEY_PANEL * panel_bytes, block->key_length, scores + p, rows, 1);
  for (int r = 0; r < rows; r++)
    fold_scores(scores + r * CK_CACHE_BLOCK, seen[r], PADDED(seen[r]), state.maximum + r, state.sum + r,
                state.output + r * block->value_stride, block->value_stride);
  size_t d = 0;
  for (; d + wide * LANES <= block->value_stride; d += wide * LANES)
    CACHED(add_values)(scores, block->values, d, 0, shared, block->value_stride, state.output + d, rows, wide);
  for (; d < block->value_stride; d += LANES)
    CACHED(add_values)(scores, block->values, d, 0, shared, block->value_stride, state.output + d, rows, 1);
  for (int r = 1; r < rows; r++)
    if (seen[r] > shared)
      CACHED(add_rest)(scores + r * CK_CACHE_BLOCK, block, shared, seen[r], state.output + r * block->value_stride);
}

static void CACHED(attend_rows)(const float *queries, size_t rows, size_t rows_per_token, size_t visible,
                                const ck_cache_block *block, ck_softmax_state state) {
  size_t row = 0;
  while (row < rows) {
    // Even groups: 7 rows are served as 4 and 3 rather than 6 and 1.
    const size_t rest = rows - row, groups = (rest + ROW_GROUP - 1) / ROW_GROUP, some = (rest + groups - 1) / groups;
    size_t seen[ROW_GROUP];
    for (size_t r = 0; r < some; r++) {
      seen[r] = visible + (row + r) / rows_per_token;
      if (seen[r] > block->positions) seen[r] = block->positions;
    }
    switch (some) {
      case 1: CACHED(attend_group)(queries, seen, block, state, 1); break;
      case 2: CACHED(attend_group)(queries, seen, block, state, 2); break;
      case 3: CACHED(attend_group)(queries, seen, block, state, 3); break;
      case 4: CACHED(attend_group)(queries, seen, block, state, 4); break;
#if ROW_GROUP > 4
      case 5: CACHED(attend_group)(queries, seen, block, state, 5); break;
      case 6: CACHED(attend_group)(queries, seen, block, state, 6); break;
#endif
      default: __builtin_unreachable();
    }
    row += some;
    queries += some * block->key_length;
    state.maximum += some;
    state.sum += some;
    state.output += some * block->value_stride;
  }
}

static void CACHED(attend_tile)(const float *queries, size_t rows, size_t rows_per_token, ptrdiff_t visible,
                                const ck_cache_block *block, ck_softmax_state state, float *scratch) {
  const size_t key_length = block->key_length, width = block->value_stride;
  float *keys = scratch, *values = keys + CK_KEY_TILE * key_length, *scores = values + CK_KEY_TILE * width;
  for (size_t start = 0; start < block->positions; start += CK_KEY_TILE) {
    size_t n = block->positions - start < CK_KEY_TILE ? block->positions - start : CK_KEY_TILE;
    // Tokens before this one see nothing of the tile.
    ptrdiff_t blind = (ptrdiff_t)start + 1 - visible;
    size_t first = blind > 0 ? (size_t)blind * rows_per_token : 0;
    if (first >= rows) break;
    size_t some = rows - first;
    CACHED(widen_keys)(keys, block->keys, start / CK_KEY_PANEL, CK_KEY_TILE / CK_KEY_PANEL, key_length);
    CACHED(widen_values)(values, block->values, start, n, width);
    const size_t across = TILE_VECTORS * LANES;
    for (size_t c = 0; c < n; c += across)
      NAMED(column_wide)(queries + first * key_length, key_length, some, keys + c * key_length, CK_KEY_PANEL,
                         CK_KEY_PANEL * key_length, scores + c, CK_KEY_TILE, key_length, 0);
    size_t padded = PADDED(n);
    for (size_t r = 0; r < some; r++) {
      size_t row = first + r, seen = (size_t)(visible + (ptrdiff_t)(row / rows_per_token)) - start;
      fold_scores(scores + r * CK_KEY_TILE, seen < n ? seen : n, padded, state.maximum + row, state.sum + row,
                  state.output + row * width, width);
    }
    size_t d = 0;
    for (; d + across <= width; d += across)
      NAMED(column_wide)(scores, CK_KEY_TILE, some, values + d, width, CK_KEY_PANEL,
                         state.output + first * width + d, width, n, 1);
    for (; d < width; d += LANES)
      NAMED(column_narrow)(scores, CK_KEY_TILE, some, values + d, width, CK_KEY_PANEL,
                           state.output + first * width + d, width, n, 1);
  }
}

#undef CACHED
