// Graphs in compressed rows: a level of a breadth-first search, shortest paths, ranks, components, triangles.

extern "C" __global__ void level(const int *start, const int *edge, int *depth, int *more, int n, int now) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || depth[v] != now)
    return;
  for (int e = start[v]; e < start[v + 1]; ++e)
    if (depth[edge[e]] < 0) {
      depth[edge[e]] = now + 1;
      *more = 1;
    }
}

extern "C" __global__ void relax(const int *__restrict__ start, const int *__restrict__ edge, const int *__restrict__ weight, int *distance, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int own = distance[v];
  if (own == 0x7fffffff)
    return;
  for (int e = start[v], end = start[v + 1]; e < end; ++e)
    atomicMin(&distance[edge[e]], own + weight[e]);
}

extern "C" __global__ void rank(const int *__restrict__ start, const int *__restrict__ edge, const float *__restrict__ from, const int *__restrict__ degree,
                                float *__restrict__ to, int n, float damping) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  float sum = 0;
  for (int e = start[v]; e < start[v + 1]; ++e)
    sum += from[edge[e]] / degree[edge[e]];
  to[v] = (1 - damping) / n + damping * sum;
}

extern "C" __global__ void hook(const int2 *edges, int *parent, int *changed, int m) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m)
    return;
  int a = parent[edges[e].x], b = parent[edges[e].y];
  if (a != b) {
    atomicMin(&parent[max(a, b)], min(a, b));
    *changed = 1;
  }
}

extern "C" __global__ void degrees(const int *__restrict__ start, int *__restrict__ degree, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n)
    degree[v] = start[v + 1] - start[v];
}

// A warp for each vertex.
extern "C" __global__ void triangles(const int *__restrict__ start, const int *__restrict__ edge, unsigned long long *count, int n) {
  int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (v >= n)
    return;
  unsigned found = 0;
  for (int e = start[v] + lane; e < start[v + 1]; e += 32) {
    int u = edge[e], a = start[u], b = start[v];
    while (a < start[u + 1] && b < start[v + 1]) {
      int x = edge[a], y = edge[b];
      found += x == y;
      a += x <= y;
      b += y <= x;
    }
  }
  for (int k = 16; k > 0; k /= 2)
    found += __shfl_down_sync(~0u, found, k);
  if (lane == 0)
    atomicAdd(count, (unsigned long long)found);
}
