// Virtual functions, pointers to functions, tables of them.

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual float grown(float by) const { return area() * by; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.14159265f * radius * radius; }
};
struct Box : Shape {
  float width, height;
  __device__ Box(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
  __device__ float grown(float by) const override { return (width + by) * (height + by); }
};

extern "C" __global__ void areas(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1)
    return;
  Circle circle(in[i]);
  Box box(in[i], in[i + 1]);
  const Shape *shape = in[i] > 0 ? (const Shape *)&circle : &box;
  out[i] = shape->area() + shape->grown(2);
}

typedef float (*Function)(float, float);
__device__ __noinline__ float plus(float a, float b) { return a + b; }
__device__ __noinline__ float minus(float a, float b) { return a - b; }
__device__ __noinline__ float times(float a, float b) { return a * b; }
__device__ Function table[3] = {plus, minus, times};

extern "C" __global__ void by_table(const int *op, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = table[(unsigned)op[i] % 3](in[i], in[i + 1]);
}

__device__ __noinline__ float fold(Function f, const float *row, int n) {
  float x = row[0];
  for (int k = 1; k < n; ++k)
    x = f(x, row[k]);
  return x;
}

extern "C" __global__ void folds(const float *in, float *out, int rows, int columns, int kind) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    out[row] = fold(kind ? plus : times, in + row * columns, columns);
}
