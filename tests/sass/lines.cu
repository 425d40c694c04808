// What the memory pass widens, removes and moves, each access on a line of its own. A comment says which lines have one.
struct record {
  float x, y, z, w;
};

extern "C" __global__ void lines(record *in, float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i].x;     // load
  float y = in[i].y;     // load
  float z = in[i].z;     // load
  float w = in[i].w;     // load
  b[i] = x + y * z - w;  // store
  float p = a[i];        // load
  b[i + 64] = p * x;     // store
  float q = a[i + 32];   // load
  float r = a[i];        // load
  b[i + 128] = q + r;    // store
  float s = a[i + 96];   // load
  b[i + 192] = s + r;    // store
  float t = a[i + 32];   // load
  b[i + 64] = t * s;     // store
}
