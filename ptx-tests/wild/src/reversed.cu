// The index runs against the lanes.
// launch: backward grid=2 block=128 args=f32[200],f32[200],200
extern "C" __global__ void backward(const float *__restrict__ in,
                                    float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  int r = n - 1 - i;
  out[i] = in[r - 1] + in[r] + in[r + 1];
}
