// ptxasw: remarks
// A cell of long short-term memory: the weights of its four gates lie at constant offsets, the state of a unit is a record.
// launch: lstm grid=2 block=64 args=f32[500],f32[12],f32[200],100,5
// launch: lstm grid=1 block=32 args=f32[97]@1,f32[14]@1,f32[66]@1,32,3
// launch: lstm grid=1 block=32 args=f32[97],f32[14]@2,f32[66]@2,32,3
// launch: lstm grid=1 block=32 args=f32[97],f32[14],f32[66]@1,32,2
struct State {
  float cell, output;
};

static __device__ float squashed(float x) { return x / (1.0f + (x < 0.0f ? -x : x)); }

extern "C" __global__ void lstm(const float *x, const float *weight, State *state, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll 1
  for (int t = 0; t < steps; ++t) {
    float in = x[t * n + i], h = state[i].output, gate[4];
#pragma unroll
    for (int g = 0; g < 4; ++g)
      gate[g] = squashed(weight[g] * in + weight[4 + g] * h + weight[8 + g]);
    state[i].cell = gate[0] * state[i].cell + gate[1] * gate[2];
    state[i].output = gate[3] * squashed(state[i].cell);
  }
}
