// Attention over one cache block. Included by forward_template.h once an element type of the cache (CACHE is f16 or f32).
#define CACHED(a) JOIN(a, CACHE)
// Elements that a pass fetches ahead of itself. Keys, values and the next head follow each other in memory, so this
// always leads to what comes next. Measured from memory, one thread: 17 GB/s without, 20 with 2 KB, 25 with 4, 31 with 8.
#undef AHEAD
#define AHEAD (8192 / sizeof(cache_t))
#define cache_t CACHED(cache)

/// Scores of `rows` queries against `panels` neighbouring panels of keys.
INLINE void CACHED(score_panels)(const float *queries, const cache_t *keys, size_t key_length, float *scores,
                                 const int rows, const int panels) {
  vf sum[ROW_GROUP][4 * PER_PANEL];
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < panels * PER_PANEL; j++) sum[r][j] = (vf){0};
  for (size_t d = 0; d < key_length; d++) {
    UNROLL for (int j = 0; j < panels; j++)
      __builtin_prefetch(keys + (j * key_length + d) * CK_KEY_PANEL + AHEAD);
    UNROLL for (int j = 0; j < panels * PER_PANEL; j++) {
      vf k = CACHED(load)(keys + (j / PER_PANEL * key_length + d) * CK_KEY_PANEL + j % PER_PANEL * LANES);
      UNROLL for (int r = 0; r < rows; r++) sum[r][j] = fma_(broadcast(queries[r * key_length + d]), k, sum[r][j]);
    }
  }
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < panels * PER_PANEL; j++) store(scores + r * CK_CACHE_BLOCK + j * LANES, sum[r][j]);
}

/// output[r][..] += weights[r][p] * values[p][..] over all positions, for `vectors` vectors across.
INLINE void CACHED(add_values)(const float *weights, const cache_t *values, size_t positions, size_t value_stride,
                               float *output, const int rows, const int vectors) {
  vf sum[ROW_GROUP][4];
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) sum[r][j] = load(output + r * value_stride + j * LANES);
  for (size_t p = 0; p < positions; p++) {
    UNROLL for (int j = 0; j < vectors * LANES; j += 64 / (int)sizeof(cache_t))
      __builtin_prefetch(values + p * value_stride + j + AHEAD);
    UNROLL for (int j = 0; j < vectors; j++) {
      vf v = CACHED(load)(values + p * value_stride + j * LANES);
      UNROLL for (int r = 0; r < rows; r++)
        sum[r][j] = fma_(broadcast(weights[r * CK_CACHE_BLOCK + p]), v, sum[r][j]);
    }
  }
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) store(output + r * value_stride + j * LANES, sum[r][j]);
}

INLINE void CACHED(attend_group)(const float *queries, const ck_cache_block *block, ck_softmax_state state,
                                 const int rows) {
  // Enough independent sums to hide the latency of a multiply-add, but few streams for the prefetcher.
  const int panels = rows * PER_PANEL <= 2 ? 4 : rows * PER_PANEL <= 4 ? 2 : 1;
  const int wide = rows * 4 <= ROW_SUMS ? 4 : 2;
  float scores[ROW_GROUP * CK_CACHE_BLOCK];
  const cache_t *keys = block->keys, *values = block->values;
  size_t n = block->positions, padded = (n + CK_KEY_PANEL - 1) / CK_KEY_PANEL * CK_KEY_PANEL, p = 0;
  for (; p + panels * CK_KEY_PANEL <= padded; p += panels * CK_KEY_PANEL)
    CACHED(score_panels)(queries, keys + p * block->key_length, block->key_length, scores + p, rows, panels);
  for (; p < padded; p += CK_KEY_PANEL)
    CACHED(score_panels)(queries, keys + p * block->key_length, block->key_length, scores + p, rows, 1);
  for (int r = 0; r < rows; r++)
    fold_scores(scores + r * CK_CACHE_BLOCK, n, padded, state.maximum + r, state.sum + r,
                state.output + r * block->value_stride, block->value_stride);
  size_t d = 0;
  for (; d + wide * LANES <= block->value_stride; d += wide * LANES)
    CACHED(add_values)(scores, values + d, n, block->value_stride, state.output + d, rows, wide);
  for (; d < block->value_stride; d += LANES)
    CACHED(add_values)(scores, values + d, n, block->value_stride, state.output + d, rows, 1);
}

static void CACHED(attend_row)(const float *queries, size_t rows, const ck_cache_block *block, ck_softmax_state state) {
  while (rows > 0) {
    // Even groups: 7 rows are served as 4 and 3 rather than 6 and 1.
    size_t groups = (rows + ROW_GROUP - 1) / ROW_GROUP, some = (rows + groups - 1) / groups;
    switch (some) {
      case 1: CACHED(attend_group)(queries, block, state, 1); break;
      case 2: CACHED(attend_group)(queries, block, state, 2); break;
      case 3: CACHED(attend_group)(queries, block, state, 3); break;
      case 4: CACHED(attend_group)(queries, block, state, 4); break;
      case 5: CACHED(attend_group)(queries, block, state, 5); break;
      default: CACHED(attend_group)(queries, block, state, 6); break;
    }
    rows -= some;
    queries += some * block->key_length;
    state.maximum += some;
    state.sum += some;
    state.output += some * block->value_stride;
  }
}

INLINE void CACHED(widen)(float *out, const cache_t *in, size_t n) {
  for (size_t i = 0; i < n; i += LANES) store(out + i, CACHED(load)(in + i));
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
    CACHED(widen)(keys, (const cache_t *)block->keys + start * key_length, CK_KEY_TILE * key_length);
    CACHED(widen)(values, (const cache_t *)block->values + start * width, n * width);
    const size_t across = TILE_VECTORS * LANES;
    for (size_t c = 0; c < n; c += across)
      NAMED(column_wide)(queries + first * key_length, key_length, some, keys + c * key_length, CK_KEY_PANEL,
                         CK_KEY_PANEL * key_length, scores + c, CK_KEY_TILE, key_length, 0);
    size_t padded = (n + CK_KEY_PANEL - 1) / CK_KEY_PANEL * CK_KEY_PANEL;
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
#undef cache_t
