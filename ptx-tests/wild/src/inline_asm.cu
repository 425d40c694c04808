// Inline assembly: scopes with their own registers and labels, special
// registers, vectors, carry chains.
// launch: assembly grid=2 block=64 args=u32[128],u32[256],100
extern "C" __global__ void assembly(unsigned *__restrict__ out,
                                    const uint2 *__restrict__ in, int n) {
  unsigned lane, low, high, steps;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  asm("{\n\t"
      ".reg .u32 t1, t2;\n\t"
      "ld.global.nc.v2.u32 {t1, t2}, [%2];\n\t"
      "add.cc.u32 %0, t1, t2;\n\t"
      "addc.u32 %1, t1, 0;\n\t"
      "}"
      : "=r"(low), "=r"(high)
      : "l"(__cvta_generic_to_global(in + i)));
  asm("{\n\t"
      ".reg .pred again;\n\t"
      ".reg .u32 left;\n\t"
      "mov.u32 left, %1;\n\t"
      "mov.u32 %0, 0;\n"
      "LOOP: add.u32 %0, %0, 1;\n\t"
      "shr.u32 left, left, 1;\n\t"
      "setp.ne.u32 again, left, 0;\n\t"
      "@again bra LOOP;\n\t"
      "}"
      : "=r"(steps)
      : "r"(low));
  out[i] = steps + high + lane;
}
