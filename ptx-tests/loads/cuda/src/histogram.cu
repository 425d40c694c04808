// ptxasw: remarks
// A histogram of structures: each thread counts its events in bins of its own. An event's fields are read again behind each
// store into a bin.
// launch: histogram grid=2 block=32 args=u32[900]%8:seed=3,u32[600]:zero,50,6
// launch: histogram grid=1 block=32 args=u32[481]%8:seed=4@1,u32[385]:zero@1,32,5
#ifndef RESTRICT
#define RESTRICT
#endif

struct Event {
  int kind, detector, weight;
};
struct Bin {
  int events, weight, heaviest;
};

extern "C" __global__ void histogram(const Event *RESTRICT events, Bin *RESTRICT bins, int n, int each) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll 2
  for (int k = 0; k < each; ++k) {
    const Event *event = events + i + k * n;
    Bin *bin = bins + 4 * i + (event->kind & 3);
    bin->events += 1;
    bin->weight += event->weight;
    bin->heaviest = event->weight > bin->heaviest ? event->weight + event->detector : bin->heaviest;
  }
}
