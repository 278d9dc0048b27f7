// Runs the forward pass kernels (norm, rope, SwiGLU, attention) of this CPU against plain double-precision loops.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CKernels.h"

static uint64_t seed = 99;
static float value(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (float)((double)(seed >> 33) * 0x1p-30 - 1);
}
static void fill(float *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] = value(); }

static void close_to(const char *what, const float *got, const double *expected, size_t n, double bound, long *checks, int *failures) {
  for (size_t i = 0; i < n; i++) {
    ++*checks;
    if (!(fabs(got[i] - expected[i]) <= bound * (1 + fabs(expected[i]))) && (*failures)++ < 20)
      printf("FAIL %s [%zu of %zu]: %.9g, expected %.9g\n", what, i, n, got[i], expected[i]);
  }
}

static void check_elements(const ck_forward_kernels *k, size_t n, long *checks, int *failures) {
  float *x = malloc(4 * n), *y = malloc(4 * n), *w = malloc(4 * n), *out = malloc(4 * n), *copy = malloc(4 * n);
  double *e = malloc(8 * n), *sum = malloc(8 * n);
  for (int with_delta = 0; with_delta < 2; with_delta++) {
    fill(x, n); fill(y, n); fill(w, n);
    double squares = 0;
    for (size_t i = 0; i < n; i++) { sum[i] = (double)x[i] + (with_delta ? y[i] : 0); squares += sum[i] * sum[i]; }
    for (size_t i = 0; i < n; i++) e[i] = sum[i] / sqrt(squares / (double)n + 1e-5) * w[i];
    k->rms_norm(out, x, with_delta ? y : 0, w, n, 1e-5f);
    close_to("rms_norm", out, e, n, 1e-5, checks, failures);
    close_to("rms_norm x", x, sum, n, 1e-6, checks, failures);
  }
  fill(x, n); fill(y, n); memcpy(copy, x, 4 * n);
  for (size_t i = 0; i < n; i++) e[i] = (double)x[i] + y[i];
  k->add(x, y, n); close_to("add", x, e, n, 1e-6, checks, failures);
  for (size_t i = 0; i < n; i++) e[i] = (double)copy[i] * 0.3;
  k->scale(out, copy, 0.3f, n); close_to("scale", out, e, n, 1e-6, checks, failures);
  for (size_t i = 0; i < n; i++) x[i] = copy[i] * (i % 3 ? 3 : 40);
  for (size_t i = 0; i < n; i++) e[i] = x[i] / (1 + exp(-(double)x[i])) * y[i];
  k->swiglu(x, y, n); close_to("swiglu", x, e, n, 1e-5, checks, failures);
  free(x); free(y); free(w); free(out); free(copy); free(e); free(sum);
}

// Two states over other keys become the state of all.
static void check_merge(const ck_forward_kernels *k, size_t width, long *checks, int *failures) {
  enum { ROWS = 3 };
  float x[ROWS * 256], y[ROWS * 256], tops[2][ROWS] = {{1, -40, 3}, {2.5f, 50, 3}}, sums[2][ROWS] = {{4, 1, 2}, {1, 9, 5}};
  double e[ROWS * 256], totals[ROWS];
  fill(x, ROWS * width); fill(y, ROWS * width);
  for (size_t r = 0; r < ROWS; r++) {
    const double top = fmax(tops[0][r], tops[1][r]), f = exp(tops[0][r] - top), g = exp(tops[1][r] - top);
    for (size_t d = r * width; d < (r + 1) * width; d++) e[d] = x[d] * f + y[d] * g;
    totals[r] = sums[0][r] * f + sums[1][r] * g;
  }
  const ck_softmax_state into = {tops[0], sums[0], x}, from = {tops[1], sums[1], y};
  k->merge(into, from, ROWS, width);
  close_to("merge", x, e, ROWS * width, 1e-6, checks, failures);
  close_to("merge sum", sums[0], totals, ROWS, 1e-6, checks, failures);
}

static void check_rope(const ck_forward_kernels *k, size_t half, long *checks, int *failures) {
  float x[512], c[256], s[256];
  double e[512];
  for (int pairs = 0; pairs < 2; pairs++) {
    fill(x, 2 * half); fill(c, half); fill(s, half);
    for (size_t i = 0; i < half; i++) {
      const size_t a = pairs ? 2 * i : i, b = pairs ? 2 * i + 1 : i + half;
      e[a] = (double)x[a] * c[i] - (double)x[b] * s[i];
      e[b] = (double)x[a] * s[i] + (double)x[b] * c[i];
    }
    (pairs ? k->rope_pairs : k->rope_halves)(x, c, s, half);
    close_to(pairs ? "rope_pairs" : "rope_halves", x, e, 2 * half, 1e-6, checks, failures);
  }
}

enum { F32, F16, Q8 };
static const char *const element_names[] = {"f32", "f16", "q8"};

static size_t panel_bytes(int element, size_t length) {
  return element == Q8 ? CK_KEY_PANEL * (length + 2 * ((length + 31) / 32)) : CK_KEY_PANEL * length * (element == F16 ? 2 : 4);
}

// Element d of a position, whose place among the panel's elements is `place`.
static double stored(int element, const char *panel, size_t length, size_t lane, size_t d, size_t place) {
  if (element == F32) return ((const float *)panel)[place];
  if (element == F16) return (double)((const _Float16 *)panel)[place];
  const _Float16 *scales = (const _Float16 *)(panel + CK_KEY_PANEL * length);
  return ((const int8_t *)panel)[place] * (double)scales[d / 32 * CK_KEY_PANEL + lane];
}

// How far rounding may take element d of a row.
static double rounding(int element, const float *row, size_t n, size_t d) {
  if (element == F32) return 0;
  if (element == F16) return 0x1p-11 * fabs(row[d]) + 1e-7;
  double top = 0;
  for (size_t i = d / 32 * 32; i < n && i < d / 32 * 32 + 32; i++) top = fmax(top, fabs(row[i]));
  return top / 127 * (0.5 + 127 * 0x1p-11) + 1e-7;
}

// One cache block with `positions` keys, seen by `rows` queries: as rows, and as a tile of several tokens.
static void check_attention(const ck_forward_kernels *k, int element, size_t length, size_t positions, size_t rows, size_t per_token,
                            ptrdiff_t visible, long *checks, int *failures) {
  const size_t stride = (length + 15) / 16 * 16;
  const size_t key_panel = panel_bytes(element, length), value_panel = panel_bytes(element, stride);
  char *keys = calloc(CK_CACHE_BLOCK / CK_KEY_PANEL, key_panel), *values = calloc(CK_CACHE_BLOCK / CK_KEY_PANEL, value_panel);
  double *key = calloc(positions * length, 8), *val = calloc(positions * stride, 8);
  float *row = calloc(stride, 4);
  for (size_t p = 0; p < positions; p++) {
    const size_t lane = p % CK_KEY_PANEL;
    for (int is_value = 0; is_value < 2; is_value++) {
      char *panel = is_value ? values + p / CK_KEY_PANEL * value_panel : keys + p / CK_KEY_PANEL * key_panel;
      fill(row, length);
      for (size_t d = 0; d < length; d++) {
        const size_t place = is_value ? lane * stride + d : d * CK_KEY_PANEL + lane;
        if (element == F32) ((float *)panel)[place] = row[d];
      }
      if (element == F16 && !is_value) k->store_key_f16(panel, lane, row, length);
      if (element == F16 && is_value) k->store_value_f16(panel + lane * stride * 2, row, length);
      if (element == Q8 && !is_value) k->store_key_q8(panel, lane, row, length);
      if (element == Q8 && is_value) k->store_value_q8(panel, lane, row, length, stride);
      for (size_t d = 0; d < length; d++) {
        const double x = stored(element, panel, is_value ? stride : length, lane, d, is_value ? lane * stride + d : d * CK_KEY_PANEL + lane);
        if (!(fabs(x - row[d]) <= rounding(element, row, length, d))) { ++*failures; printf("FAIL store_%s %s: %g for %g\n", is_value ? "value" : "key", element_names[element], x, row[d]); }
        if (is_value) val[p * stride + d] = x; else key[p * length + d] = x;
      }
    }
  }
  float *queries = malloc(rows * length * 4), *maximum = malloc(rows * 4), *sum = malloc(rows * 4);
  float *output = malloc(rows * stride * 4), *normal = malloc(rows * stride * 4);
  float *scratch = malloc(64 * (length + stride + rows) * 4 + 4096);
  double *e = malloc(rows * stride * 8);
  fill(queries, rows * length);
  const ck_cache_block block = {keys, values, length, stride, positions};
  const size_t first = visible < 1 ? 1 : (size_t)visible;
  void (*attend_rows)(const float *, size_t, size_t, size_t, const ck_cache_block *, ck_softmax_state) =
      element == Q8 ? k->attend_rows_q8 : element == F16 ? k->attend_rows_f16 : k->attend_rows_f32;
  for (int tile = 0; tile < 2; tile++) {
    for (size_t r = 0; r < rows; r++) { maximum[r] = -INFINITY; sum[r] = 0; }
    memset(output, 0, rows * stride * 4);
    const ck_softmax_state state = {maximum, sum, output};
    if (tile) (element == Q8 ? k->attend_tile_q8 : element == F16 ? k->attend_tile_f16 : k->attend_tile_f32)(queries, rows, per_token, visible, &block, state, scratch);
    else attend_rows(queries, rows, per_token, first, &block, state);
    for (size_t r = 0; r < rows; r++) {
      ptrdiff_t seen = (tile ? visible : (ptrdiff_t)first) + (ptrdiff_t)(r / per_token);
      if (seen > (ptrdiff_t)positions) seen = (ptrdiff_t)positions;
      if (!tile) {
        // The row alone gets the same bits.
        float own[256] = {0}, own_top = -INFINITY, own_sum = 0;
        const ck_softmax_state alone = {&own_top, &own_sum, own};
        attend_rows(queries + r * length, 1, 1, (size_t)seen, &block, alone);
        ++*checks;
        if (memcmp(own, output + r * stride, 4 * stride) || own_sum != sum[r] || own_top != maximum[r]) {
          ++*failures;
          printf("FAIL attend_rows %s: row %zu of %zu has other bits alone (length %zu, %zu positions)\n", element_names[element], r,
                 rows, length, positions);
        }
      }
      double top = -INFINITY, total = 0, *o = e + r * stride, score[CK_CACHE_BLOCK];
      for (size_t d = 0; d < stride; d++) o[d] = 0;
      for (ptrdiff_t p = 0; p < seen; p++) {
        score[p] = 0;
        for (size_t d = 0; d < length; d++) score[p] += (double)queries[r * length + d] * key[(size_t)p * length + d];
        if (score[p] > top) top = score[p];
      }
      for (ptrdiff_t p = 0; p < seen; p++) {
        const double weight = exp(score[p] - top);
        total += weight;
        for (size_t d = 0; d < length; d++) o[d] += weight * val[(size_t)p * stride + d];
      }
      for (size_t d = 0; d < stride; d++) {
        if (total > 0) o[d] /= total;
        normal[r * stride + d] = sum[r] > 0 ? output[r * stride + d] / sum[r] : 0;
      }
    }
    char what[96];
    snprintf(what, sizeof what, "attend_%s_%s length %zu positions %zu rows %zu", tile ? "tile" : "rows", element_names[element],
             length, positions, rows);
    close_to(what, normal, e, rows * stride, 2e-5, checks, failures);
  }
  free(keys); free(values); free(key); free(val); free(row); free(queries); free(maximum); free(sum); free(output);
  free(normal); free(scratch); free(e);
}

static void check_set(const ck_forward_kernels *k, long *checks, int *failures) {
  printf("forward kernels: %s\n", k->name);
  const size_t lengths[] = {1, 3, 4, 5, 15, 16, 17, 64, 100, 576, 2048};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check_elements(k, lengths[i], checks, failures);
  const size_t halves[] = {1, 2, 4, 5, 8, 16, 32, 48, 64, 128};
  const size_t widths[] = {16, 64, 80, 256};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) check_merge(k, widths[i], checks, failures);
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) check_rope(k, halves[i], checks, failures);
  const size_t heads[] = {16, 64, 80, 128};
  for (int element = F32; element <= Q8; element++)
    for (size_t h = 0; h < 4; h++) {
      const size_t positions[] = {1, 15, 16, 17, 64, 200, 256};
      for (size_t p = 0; p < 7; p++) {
        check_attention(k, element, heads[h], positions[p], 4, 4, (ptrdiff_t)positions[p], checks, failures);
        check_attention(k, element, heads[h], positions[p], 3, 1, (ptrdiff_t)positions[p] - 2, checks, failures);
        check_attention(k, element, heads[h], positions[p], 96, 3, (ptrdiff_t)positions[p] - 31, checks, failures);
      }
    }
}

void check_forward(long *checks, int *failures) {
  const ck_forward_kernels *k;
  for (size_t i = 0; (k = ck_forward_variant(i)); i++) check_set(k, checks, failures);
}
