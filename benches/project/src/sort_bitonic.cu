// One step of a bitonic sort: partners are a power of two apart.
__global__ void bitonic(int *keys, int step, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ step;
  if (partner <= i) return;
  int a = keys[i], b = keys[partner];
  if ((a > b) == ((i & size) == 0)) {
    keys[i] = b;
    keys[partner] = a;
  }
}
