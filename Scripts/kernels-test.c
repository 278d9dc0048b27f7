// Runs every kernel that this CPU can against a scalar reference written from the formats' definitions. Built and started
// by Scripts/test-kernels and Scripts/test-arm-kernels. Inputs end at guard pages: a read past the end ends the program.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ck_internal.h"

static int failures = 0;
static long checks = 0;

static void fail(const char *what, const char *level, const char *type, size_t columns, size_t row, size_t token, double got,
                 double expected) {
  if (failures++ < 20)
    printf("FAIL %s %s %s columns %zu row %zu token %zu: %.9g, expected %.9g\n", what, level, type, columns, row, token,
           got, expected);
}

// SplitMix64.
static uint64_t state = 1;
static uint64_t next(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static double uniform(void) { return (double)(next() >> 11) * 0x1p-53; }
static float gaussian(void) { return (float)((uniform() + uniform() + uniform() + uniform() - 2) * 1.7320508); }

// Memory that ends at a page that may not be touched; never freed.
static void *guarded(size_t bytes, size_t alignment) {
  const size_t page = 4096, usable = (bytes + page - 1) / page * page;
  char *base = mmap(0, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base + usable, page, PROT_NONE)) abort();
  return base + (usable - bytes) / alignment * alignment;
}
static void release(void *p, size_t bytes) {
  const size_t page = 4096, usable = (bytes + page - 1) / page * page;
  munmap((void *)((uintptr_t)p / page * page), usable + page);
}

typedef struct type {
  const char *name;
  int id;
  size_t block, bytes;
  int scales[2];  // where the binary16 scales lie; -1: none
} type;

static const type types[] = {
  {"F32", CK_F32, 1, 4, {-1, -1}},       {"F16", CK_F16, 1, 2, {-1, -1}},       {"BF16", CK_BF16, 1, 2, {-1, -1}},
  {"Q4_0", CK_Q4_0, 32, 18, {0, -1}},    {"Q4_1", CK_Q4_1, 32, 20, {0, 2}},     {"Q5_0", CK_Q5_0, 32, 22, {0, -1}},
  {"Q5_1", CK_Q5_1, 32, 24, {0, 2}},     {"Q8_0", CK_Q8_0, 32, 34, {0, -1}},    {"Q4_K", CK_Q4_K, 256, 144, {0, 2}},
  {"Q5_K", CK_Q5_K, 256, 176, {0, 2}},   {"Q6_K", CK_Q6_K, 256, 210, {208, -1}},  {"Q2_K", CK_Q2_K, 256, 84, {80, 82}},
  {"Q3_K", CK_Q3_K, 256, 110, {108, -1}},
};

static double half(const uint8_t *p) {
  const int bits = p[0] | p[1] << 8, exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent ? ldexp(1 + fraction / 1024.0, exponent - 15) : ldexp(fraction / 1024.0, -14);
  return bits >> 15 ? -size : size;
}

static void store_half(uint8_t *p, float value) {
  const _Float16 h = (_Float16)value;
  memcpy(p, &h, 2);
}

static void decode(const type *t, const uint8_t *p, double *x) {
  switch (t->id) {
  case CK_F32: { float v; memcpy(&v, p, 4); x[0] = v; break; }
  case CK_F16: x[0] = half(p); break;
  case CK_BF16: { uint32_t b = (uint32_t)(p[0] | p[1] << 8) << 16; float v; memcpy(&v, &b, 4); x[0] = v; break; }
  case CK_Q4_0:
    for (int i = 0; i < 32; i++) x[i] = half(p) * ((p[2 + i % 16] >> (i / 16 * 4) & 15) - 8);
    break;
  case CK_Q4_1:
    for (int i = 0; i < 32; i++) x[i] = half(p) * (p[4 + i % 16] >> (i / 16 * 4) & 15) + half(p + 2);
    break;
  case CK_Q5_0:
    for (int i = 0; i < 32; i++)
      x[i] = half(p) * (((p[6 + i % 16] >> (i / 16 * 4) & 15) | (p[2 + i / 8] >> i % 8 & 1) << 4) - 16);
    break;
  case CK_Q5_1:
    for (int i = 0; i < 32; i++)
      x[i] = half(p) * ((p[8 + i % 16] >> (i / 16 * 4) & 15) | (p[4 + i / 8] >> i % 8 & 1) << 4) + half(p + 2);
    break;
  case CK_Q8_0:
    for (int i = 0; i < 32; i++) x[i] = half(p) * (int8_t)p[2 + i];
    break;
  case CK_Q4_K:
  case CK_Q5_K:
    for (int i = 0; i < 256; i++) {
      const int five = t->id == CK_Q5_K, g = i / 32, l = i % 32;
      const uint8_t *s = p + 4, *q = p + (five ? 48 : 16);
      const int scale = g < 4 ? s[g] & 63 : (s[g + 4] & 15) | (s[g - 4] >> 6) << 4;
      const int minimum = g < 4 ? s[g + 4] & 63 : s[g + 4] >> 4 | (s[g] >> 6) << 4;
      int level = q[g / 2 * 32 + l] >> (g % 2 * 4) & 15;
      if (five) level |= (p[16 + l] >> g & 1) << 4;
      x[i] = half(p) * scale * level - half(p + 2) * minimum;
    }
    break;
  case CK_Q2_K:
    for (int i = 0; i < 256; i++) {
      const int level = p[16 + i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
      x[i] = half(p + 80) * (p[i / 16] & 15) * level - half(p + 82) * (p[i / 16] >> 4);
    }
    break;
  case CK_Q3_K:
    for (int i = 0; i < 256; i++) {
      const int g = i / 16, low = p[96 + g % 8] >> (g / 8 * 4) & 15, high = p[104 + g % 4] >> (g / 4 * 2) & 3;
      const int level = (p[32 + i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3) | (p[i % 32] >> (i / 32) & 1) << 2;
      x[i] = half(p + 108) * ((low | high << 4) - 32) * (level - 4);
    }
    break;
  case CK_Q6_K:
    for (int i = 0; i < 256; i++) {
      const int h = i / 128, r = i % 128;
      const int low = p[64 * h + r % 64] >> (r / 64 * 4) & 15, high = p[128 + 32 * h + r % 32] >> (r / 32 * 2) & 3;
      x[i] = half(p + 208) * (int8_t)p[192 + i / 16] * ((low | high << 4) - 32);
    }
    break;
  }
}

// A block of 32 as the quantiser has to round it; its scale.
static float round_block(const float *x, double *rounded) {
  float largest = 0;
  for (size_t i = 0; i < 32; i++) largest = fmaxf(largest, fabsf(x[i]));
  const float d = largest < 1e-30f ? 0 : largest * (1.0f / 127.0f), inverse = largest < 1e-30f ? 0 : 127.0f / largest;
  for (size_t i = 0; i < 32; i++) rounded[i] = (double)d * nearbyintf(x[i] * inverse);
  return d;
}

// Activations as they have to be rounded: blocks that stand out in their row, twice.
static void round_activations(const float *x, size_t columns, size_t tokens, double *rounded) {
  const size_t blocks = columns / 32;
  float *d = malloc(blocks * sizeof(float));
  for (size_t k = 0; k < tokens; k++) {
    float roots = 0;
    for (size_t b = 0; b < blocks; b++) {
      d[b] = round_block(x + k * columns + 32 * b, rounded + k * columns + 32 * b);
      roots += sqrtf(d[b]);
    }
    const float mean = roots / (float)blocks;
    for (size_t b = 0; b < blocks; b++) {
      if (!(d[b] > CK_REST_FACTOR * mean * mean)) continue;
      float rest[32];
      double more[32];
      const size_t at = k * columns + 32 * b;
      for (size_t i = 0; i < 32; i++) rest[i] = (float)(x[at + i] - rounded[at + i]);
      round_block(rest, more);
      for (size_t i = 0; i < 32; i++) rounded[at + i] += more[i];
    }
  }
  free(d);
}

enum { RANDOM = -1 };

#if defined(__aarch64__)
static const int is_arm = 1;
#else
static const int is_arm = 0;
#endif

// A matrix of `rows` x `columns`, in guarded memory: every byte `fill`, or all of them random, with scales that are numbers.
static uint8_t *make_matrix(const type *t, size_t rows, size_t columns, int fill) {
  const size_t bytes = rows * (columns / t->block * t->bytes);
  uint8_t *matrix = guarded(bytes, 1);
  for (size_t i = 0; i < bytes; i++) matrix[i] = fill == RANDOM ? (uint8_t)next() : (uint8_t)fill;
  if (t->block == 1) {
    for (size_t i = 0; i < rows * columns; i++) {
      const float v = gaussian();
      uint32_t bits;
      memcpy(&bits, &v, 4);
      if (t->id == CK_F32) memcpy(matrix + 4 * i, &v, 4);
      if (t->id == CK_F16) store_half(matrix + 2 * i, v);
      if (t->id == CK_BF16) { matrix[2 * i] = (uint8_t)(bits >> 16); matrix[2 * i + 1] = (uint8_t)(bits >> 24); }
    }
  }
  for (size_t b = 0; b < rows * (columns / t->block); b++)
    for (int s = 0; s < 2; s++)
      if (t->scales[s] >= 0) store_half(matrix + b * t->bytes + t->scales[s], 0.01f * gaussian());
  return matrix;
}

// One matrix of `rows` x `columns` with `tokens` activations, by every kernel there is.
static void check(const type *t, const ck_kernels *kernels, const char *level, size_t rows, size_t columns, size_t tokens,
                  int fill, int activations) {
  const size_t row_bytes = columns / t->block * t->bytes;
  uint8_t *matrix = make_matrix(t, rows, columns, fill);

  float *x = guarded(tokens * columns * sizeof(float), 4);
  for (size_t i = 0; i < tokens * columns; i++)
    x[i] = activations == 0 ? gaussian() * (next() % 200 == 0 ? 40 : 1) : activations == 1 ? 127.0f : i % 2 ? 127.0f : -127.0f;

  double *rounded = malloc(tokens * columns * sizeof(double)), *decoded = malloc(columns * sizeof(double));
  if (t->block > 1) {
    round_activations(x, columns, tokens, rounded);
  } else {
    for (size_t i = 0; i < tokens * columns; i++) rounded[i] = x[i];
  }

  const size_t stride = rows + 3, out_bytes = ((tokens - 1) * stride + rows) * sizeof(float);
  float *by_dot = guarded(out_bytes, 4), *by_panel = guarded(out_bytes, 4), *by_batch = guarded(out_bytes, 4);
  const ck_dot_function dot = kernels->dot[t->id];
  const ck_panel_function panel = kernels->panel[t->id];
  const ck_dot_function batch = kernels->batch[t->id];
  // Arm has no kernels of these two yet: their products go through decoded rows.
  if (!dot && (t->id == CK_Q2_K || t->id == CK_Q3_K) && is_arm) return;
  if (!dot) { printf("FAIL no dot kernel %s %s\n", level, t->name); failures++; return; }
  if (t->block == 1) {
    dot(matrix, row_bytes, rows, columns, x, tokens, by_dot, stride);
  } else {
    const size_t vector_bytes = ck_vector_bytes(columns);
    char *vectors = guarded(tokens * vector_bytes, 64);
    for (size_t k = 0; k < tokens; k++) kernels->quantize_vector(x + k * columns, columns, vectors + k * vector_bytes);
    dot(matrix, row_bytes, rows, columns, vectors, tokens, by_dot, stride);
    release(vectors, tokens * vector_bytes);
  }
  if (t->block > 1 && panel) {
    const size_t count = (tokens + CK_GROUP_TOKENS - 1) / CK_GROUP_TOKENS, group_bytes = ck_group_bytes(columns);
    char *groups = guarded(count * group_bytes, 64), *scratch = guarded(ck_panel_scratch_bytes(tokens), 64);
    for (size_t g = 0; g < count; g++) {
      const size_t left = tokens - g * CK_GROUP_TOKENS;
      kernels->quantize_group(x + g * CK_GROUP_TOKENS * columns, columns, left < CK_GROUP_TOKENS ? left : CK_GROUP_TOKENS,
                              groups + g * group_bytes);
    }
    for (size_t first = 0; first < rows; first += CK_PANEL_ROWS) {
      const void *addresses[CK_PANEL_ROWS];
      const size_t n = rows - first < CK_PANEL_ROWS ? rows - first : CK_PANEL_ROWS;
      for (size_t r = 0; r < n; r++) addresses[r] = matrix + (first + r) * row_bytes;
      panel(addresses, n, columns, groups, tokens, by_panel + first, stride, scratch);
    }
    release(groups, count * group_bytes);
    release(scratch, ck_panel_scratch_bytes(tokens));
  } else if (t->block > 1 && !batch) {
    printf("FAIL neither panel nor batch kernel %s %s\n", level, t->name);
    failures++;
  }
  if (batch) {
    for (size_t first = 0; first < tokens; first += CK_BATCH_TOKENS) {
      const size_t left = tokens - first, n = left < CK_BATCH_TOKENS ? left : CK_BATCH_TOKENS, bytes = ck_batch_bytes(columns, n);
      char *activations = guarded(bytes, 64);
      kernels->quantize_batch(x + first * columns, columns, n, activations);
      batch(matrix, row_bytes, rows, columns, activations, n, by_batch + first * stride, stride);
      release(activations, bytes);
    }
  }

  for (size_t r = 0; r < rows; r++) {
    for (size_t b = 0; b < columns / t->block; b++) decode(t, matrix + r * row_bytes + b * t->bytes, decoded + b * t->block);
    for (size_t k = 0; k < tokens; k++) {
      double sum = 0, size = 0;
      for (size_t i = 0; i < columns; i++) {
        sum += decoded[i] * rounded[k * columns + i];
        size += fabs(decoded[i] * rounded[k * columns + i]);
      }
      // Formats with a minimum add two large sums, hence the floor from the sizes of both.
      const double bound = 4e-6 * size + 1e-6 * fabs(sum) + 1e-12;
      const double got = by_dot[k * stride + r];
      checks++;
      if (!(fabs(got - sum) <= bound * 4)) fail("dot", level, t->name, columns, r, k, got, sum);
      if (t->block > 1 && panel) {
        const double got = by_panel[k * stride + r];
        checks++;
        if (!(fabs(got - sum) <= bound * 4)) fail("panel", level, t->name, columns, r, k, got, sum);
      }
      if (batch) {
        const double got = by_batch[k * stride + r];
        checks++;
        if (!(fabs(got - sum) <= bound * 4)) fail("batch", level, t->name, columns, r, k, got, sum);
      }
    }
  }
  free(rounded);
  free(decoded);
  release(matrix, rows * row_bytes);
  release(x, tokens * columns * sizeof(float));
  release(by_dot, out_bytes);
  release(by_panel, out_bytes);
  release(by_batch, out_bytes);
}

// Activations that aren't finite show in the products of their token, and in no other; zeros and tiny ones give zeros.
static void check_special(const ck_kernels *kernels, const char *level) {
  enum { COLUMNS = 256, TOKENS = 9 };
  const float values[] = {NAN, INFINITY, -INFINITY, 0, 1e-42f};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const type *t = &types[i];
    if (t->block == 1) continue;
    uint8_t row[COLUMNS * 4];
    for (size_t k = 0; k < sizeof row; k++) row[k] = (uint8_t)next();
    for (size_t b = 0; b < COLUMNS / t->block; b++)
      for (int s = 0; s < 2; s++)
        if (t->scales[s] >= 0) store_half(row + b * t->bytes + t->scales[s], 0.01f);
    for (size_t which = 0; which < 5; which++) {
      static float x[TOKENS * COLUMNS], out[TOKENS];
      for (size_t k = 0; k < TOKENS * COLUMNS; k++) x[k] = which > 2 && k < COLUMNS ? 0 : 0.5f;
      x[37] = values[which];
      _Alignas(64) static char vectors[TOKENS * 8 * COLUMNS], groups[2 * 32 * COLUMNS], scratch[1 << 16];
      const void *rows[1] = {row};
      const size_t vector_bytes = ck_vector_bytes(COLUMNS), group_bytes = ck_group_bytes(COLUMNS);
      for (int way = 0; way < 3; way++) {
        if (way == 0 ? !kernels->dot[t->id] : way == 1 ? !kernels->panel[t->id] : !kernels->batch[t->id]) continue;
        if (way == 2) {
          kernels->quantize_batch(x, COLUMNS, TOKENS, vectors);
          kernels->batch[t->id](row, 0, 1, COLUMNS, vectors, TOKENS, out, 1);
        } else if (way == 1) {
          kernels->quantize_group(x, COLUMNS, 8, groups);
          kernels->quantize_group(x + 8 * COLUMNS, COLUMNS, 1, groups + group_bytes);
          kernels->panel[t->id](rows, 1, COLUMNS, groups, TOKENS, out, 1, scratch);
        } else {
          for (size_t k = 0; k < TOKENS; k++) kernels->quantize_vector(x + k * COLUMNS, COLUMNS, vectors + k * vector_bytes);
          kernels->dot[t->id](row, 0, 1, COLUMNS, vectors, TOKENS, out, 1);
        }
        for (size_t k = 0; k < TOKENS; k++) {
          checks++;
          const int wrong = which > 2 && k == 0 ? out[k] != 0 : isfinite(out[k]) != (which > 2 || k > 0);
          if (wrong) fail(way == 2 ? "special batch" : way ? "special panel" : "special dot", level, t->name, COLUMNS, which, k, out[k], values[which]);
        }
      }
    }
  }
}

// A token's products by itself and in batches of 1 to 24 tokens, of all rows at once and of one row: the same bits. What
// serves where is decided by ProductRoute.swift: dot products up to two tokens, batches where there are kernels for them.
static void check_equal(const type *t, const ck_kernels *kernels, const char *level, size_t rows, size_t columns) {
  enum { MOST = 24 };
  const size_t row_bytes = columns / t->block * t->bytes;
  uint8_t *matrix = make_matrix(t, rows, columns, RANDOM);
  float *x = malloc(MOST * columns * sizeof(float)), *single = malloc(MOST * rows * sizeof(float));
  float *many = malloc(MOST * rows * sizeof(float));
  for (size_t i = 0; i < MOST * columns; i++) x[i] = gaussian() * (next() % 200 == 0 ? 40 : 1);
  const ck_dot_function dot = kernels->dot[t->id], batch = kernels->batch[t->id];
  const size_t vector_bytes = t->block == 1 ? columns * sizeof(float) : ck_vector_bytes(columns);
  char *vectors = guarded(MOST * vector_bytes, 64);
  for (size_t k = 0; k < MOST; k++) {
    if (t->block == 1) memcpy(vectors + k * vector_bytes, x + k * columns, vector_bytes);
    else kernels->quantize_vector(x + k * columns, columns, vectors + k * vector_bytes);
    dot(matrix, row_bytes, rows, columns, vectors + k * vector_bytes, 1, single + k * rows, rows);
  }
  for (size_t n = 1; n <= MOST; n++) {
    // Also of tokens from the middle on, so that a token's place in a batch changes.
    const size_t first = n <= MOST / 2 ? n : 0;
    for (int way = 0; way < 4; way++) {
      const int by_batch = way % 2, by_row = way / 2;
      if (by_batch ? !batch : !dot) continue;
      for (size_t from = 0; from < n; from += CK_BATCH_TOKENS) {
        const size_t count = by_batch ? (n - from < CK_BATCH_TOKENS ? n - from : CK_BATCH_TOKENS) : n;
        const char *activations = vectors + (first + from) * vector_bytes;
        char *own = NULL;
        if (by_batch) {
          own = guarded(ck_batch_bytes(columns, count), 64);
          kernels->quantize_batch(x + (first + from) * columns, columns, count, own);
          activations = own;
        }
        for (size_t r = 0; r < (by_row ? rows : 1); r++)
          (by_batch ? batch : dot)(matrix + r * row_bytes, by_row ? 0 : row_bytes, by_row ? 1 : rows, columns, activations,
                                   count, many + from * rows + r, rows);
        if (own) release(own, ck_batch_bytes(columns, count));
        if (!by_batch) break;
      }
      for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < rows; r++) {
          checks++;
          const float *a = &many[k * rows + r], *b = &single[(first + k) * rows + r];
          if (memcmp(a, b, sizeof *a)) fail(by_batch ? "batch like one" : "dot like one", level, t->name, columns, r, n, *a, *b);
        }
    }
  }
  free(x);
  free(single);
  free(many);
  release(vectors, MOST * vector_bytes);
  release(matrix, rows * row_bytes);
}

static void check_level(ck_level wanted) {
  const char *level = ck_level_name(wanted);
  const ck_kernels *kernels = ck_kernels_for(wanted);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const type *t = &types[i];
    const size_t small[] = {32, 64, 96, 160, 512, 544, 1088, 2144}, large[] = {256, 512, 768, 1280, 2304};
    const size_t odd[] = {1, 7, 8, 9, 31, 100, 516, 1000};
    const size_t *widths = t->block == 1 ? odd : t->block == 32 ? small : large;
    const size_t count = t->block == 256 ? 5 : 8;
    for (size_t w = 0; w < count; w++) {
      const size_t tokens[] = {1, 2, 3, 4, 5, 8, 9, 11, 16, 19};
      for (size_t k = 0; k < 10; k++) check(t, kernels, level, k % 2 ? 35 : 3, widths[w], tokens[k], RANDOM, 0);
    }
    // Widths with and without whole parts of a sum, and several slices of a batch.
    const size_t whole[] = {256, 1024, 4352}, parts[] = {32, 1088, 4416}, single[] = {7, 100, 2049};
    for (size_t w = 0; w < 3 && kernels->dot[t->id]; w++)
      check_equal(t, kernels, level, 5, (t->block == 256 ? whole : t->block == 32 ? parts : single)[w]);
    // The largest weights and activations there are, with all signs.
    const int fills[] = {0x00, 0xFF, 0x80, 0x7F};
    for (size_t f = 0; f < 4 && t->block > 1; f++)
      for (int a = 1; a < 3; a++) check(t, kernels, level, 33, 1024, 9, fills[f], a);
  }
  check_special(kernels, level);
}

void check_forward(long *checks, int *failures);

int main(int count, char **arguments) {
  if (count > 1) state = strtoull(arguments[1], NULL, 10);
  printf("seed %llu\n", (unsigned long long)state);
  printf("best level here: %s\n", ck_level_name(ck_best_level()));
  const ck_level levels[] = {CK_AVX2, CK_AVX512_VNNI, CK_NEON_DOTPROD, CK_NEON_I8MM};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (ck_can_run(levels[i])) check_level(levels[i]);
  check_forward(&checks, &failures);
  printf("%ld products checked, %d wrong\n", checks, failures);
  return failures != 0;
}
