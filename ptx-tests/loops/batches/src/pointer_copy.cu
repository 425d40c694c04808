// ptxasw: remarks
// llvm: yes
// Two pointers step by a run-time distance until one is at the end. Its twin copies up to and with a zero.
// launch: pointer_copy grid=2 block=16 args=f32[1],f32[1]:zero,0
// launch: pointer_copy grid=2 block=16 args=f32[32],f32[32]:zero,1
// launch: pointer_copy grid=2 block=16 args=f32[96],f32[96]:zero,3
// launch: pointer_copy grid=2 block=16 args=f32[128],f32[128]:zero,4
// launch: pointer_copy grid=2 block=16 args=f32[160],f32[160]:zero,5
// launch: pointer_copy grid=2 block=16 args=f32[224],f32[224]:zero,7
// launch: pointer_copy grid=2 block=16 args=f32[256],f32[256]:zero,8
// launch: pointer_copy grid=2 block=16 args=f32[288],f32[288]:zero,9
// launch: pointer_copy grid=2 block=16 args=f32[672],f32[672]:zero,21
// launch: pointer_copy grid=1 block=32 args=f32[800],same0@32,9
// launch: pointer_copy_not grid=2 block=16 args=u32[2048]%3,u32[2048]:zero,32
#ifndef RESTRICT
#define RESTRICT
#endif

extern "C" __global__ void pointer_copy(const float *RESTRICT from, float *RESTRICT to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  to += i;
  for (const float *at = from + i, *end = from + i + n * step; at != end; at += step, to += step)
    *to = *at * 2.0f;
}

extern "C" __global__ void pointer_copy_not(const int *RESTRICT from, int *RESTRICT to, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  from += i * pitch, to += i * pitch;
  while ((*to++ = *from++) != 0)
    ;
}
