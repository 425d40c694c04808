// Functions that call themselves and each other, stacks in local memory.

__device__ __noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

struct Node {
  int left, right;
  float value;
};

__device__ __noinline__ float total(const Node *tree, int at, int depth) {
  if (at < 0 || depth > 20)
    return 0;
  return tree[at].value + total(tree, tree[at].left, depth + 1) + total(tree, tree[at].right, depth + 1);
}

__device__ __noinline__ void quick(int *data, int low, int high) {
  while (low < high) {
    int pivot = data[(low + high) / 2], i = low, j = high;
    while (i <= j) {
      while (data[i] < pivot) ++i;
      while (data[j] > pivot) --j;
      if (i <= j) {
        int x = data[i];
        data[i++] = data[j];
        data[j--] = x;
      }
    }
    quick(data, low, j);
    low = i;
  }
}

extern "C" __global__ void calls(const unsigned *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = ackermann(in[i] & 1, in[i] & 3) + is_even(in[i] & 15);
}

extern "C" __global__ void trees(const Node *tree, const int *roots, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = total(tree, roots[i], 0);
}

extern "C" __global__ void sort_rows(int *data, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    quick(data + row * columns, 0, columns - 1);
}

extern "C" __global__ void by_stack(const Node *tree, int root, float *out, int n, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int stack[32], top = 0;
  float sum = 0;
  stack[top++] = root;
  while (top > 0) {
    int at = stack[--top];
    if (at < 0)
      continue;
    Node node = tree[at];
    if (node.value > limit * i || top > 28)
      continue;
    sum += node.value;
    stack[top++] = node.left;
    stack[top++] = node.right;
  }
  out[i] = sum;
}
