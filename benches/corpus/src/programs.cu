// Dynamic programming: alignments along diagonals, knapsacks, all pairs of paths, hidden states.

extern "C" __global__ void diagonal(const char *a, const char *b, const int *__restrict__ last, const int *__restrict__ before, int *__restrict__ now, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n || d - i < 1 || d - i >= n)
    return;
  int score = a[i] == b[d - i] ? 2 : -1;
  now[i] = max(max(0, before[i - 1] + score), max(last[i - 1], last[i]) - 1);
}

extern "C" __global__ void knapsack(const int *__restrict__ last, int *__restrict__ now, int capacity, int weight, int value) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c <= capacity)
    now[c] = c >= weight ? max(last[c], last[c - weight] + value) : last[c];
}

extern "C" __global__ void all_paths(int *d, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < n) {
    int through = d[i * n + k] + d[k * n + j];
    if (through < d[i * n + j])
      d[i * n + j] = through;
  }
}

extern "C" __global__ void levenshtein(const char *__restrict__ words, int length, const char *__restrict__ word, int m, int *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned char row[33];
  for (int k = 0; k <= m && k < 33; ++k)
    row[k] = k;
  for (int l = 0; l < length; ++l) {
    int corner = row[0];
    row[0] = l + 1;
    for (int k = 1; k <= m && k < 33; ++k) {
      int above = row[k];
      row[k] = min(min(above, row[k - 1]) + 1, corner + (words[i * length + l] != word[k - 1]));
      corner = above;
    }
  }
  out[i] = row[min(m, 32)];
}

extern "C" __global__ void viterbi(const float *__restrict__ from, const float *__restrict__ move, const float *__restrict__ emit, float *__restrict__ to, int *__restrict__ way,
                                   int states) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= states)
    return;
  float best = -1e30f;
  int which = 0;
  for (int p = 0; p < states; ++p) {
    float x = from[p] + move[p * states + s];
    if (x > best) {
      best = x;
      which = p;
    }
  }
  to[s] = best + emit[s];
  way[s] = which;
}

// A row of the least way through a field of costs: three neighbours above.
extern "C" __global__ void seam(const int *__restrict__ above, const int *__restrict__ cost, int *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int best = above[i];
  if (i > 0)
    best = min(best, above[i - 1]);
  if (i < n - 1)
    best = min(best, above[i + 1]);
  out[i] = best + cost[i];
}
