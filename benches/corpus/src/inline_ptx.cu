// PTX written by hand inside of CUDA C: registers of its own, predicates, cache hints, special registers.

extern "C" __global__ void registers(const unsigned *in, unsigned *out, int n) {
  unsigned i, t, lane, warp, x;
  asm("mov.u32 %0, %%tid.x;" : "=r"(t));
  asm("{\n\t.reg .u32 c;\n\tmov.u32 c, %%ctaid.x;\n\tmov.u32 %0, %%ntid.x;\n\tmad.lo.u32 %0, c, %0, %1;\n}" : "=r"(i) : "r"(t));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  if (i >= (unsigned)n)
    return;
  asm("{\n\t.reg .pred p;\n\t.reg .u32 t;\n\tsetp.gt.u32 p, %1, 7;\n\tmov.u32 t, 1;\n\t@p add.u32 t, t, 41;\n\tmul.lo.u32 %0, t, %1;\n}" : "=r"(x) : "r"(in[i]));
  out[i] = x + (warp & 0) + lane;
}

extern "C" __global__ void hints(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 3)
    return;
  float a, b, c, d;
  asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(a) : "l"(in + i));
  asm("ld.global.nc.f32 %0, [%1+4];" : "=f"(b) : "l"(in + i));
#if __CUDA_ARCH__ >= 700
  asm("ld.global.nc.L1::evict_last.f32 %0, [%1+8];" : "=f"(c) : "l"(in + i));
#else
  c = in[i + 2];
#endif
  asm volatile("ld.global.ca.f32 %0, [%1+12];" : "=f"(d) : "l"(in + i));
  asm volatile("st.global.wt.f32 [%0], %1;" ::"l"(out + i), "f"(a + b + c + d) : "memory");
}

extern "C" __global__ void wide_sums(const unsigned long long *a, const unsigned long long *b, unsigned long long *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long low, middle, high;
  asm("add.cc.u64 %0, %3, %6;\n\taddc.cc.u64 %1, %4, %7;\n\taddc.u64 %2, %5, %8;"
      : "=l"(low), "=l"(middle), "=l"(high)
      : "l"(a[3 * i]), "l"(a[3 * i + 1]), "l"(a[3 * i + 2]), "l"(b[3 * i]), "l"(b[3 * i + 1]), "l"(b[3 * i + 2]));
  c[3 * i] = low;
  c[3 * i + 1] = middle;
  c[3 * i + 2] = high;
}

extern "C" __global__ void branches(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = in[i], r = 0;
  asm("{\n\t.reg .pred q;\n\tsetp.lt.s32 q, %1, 0;\n\t@q bra BELOW;\n\tmov.s32 %0, 1;\nBELOW:\n\tadd.s32 %0, %0, 2;\n}" : "+r"(r) : "r"(x));
  out[i] = r;
}

extern "C" __global__ void neighbours(const int *__restrict__ in, int *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1)
    return;
  int a = in[i], b;
  asm volatile("{\n\t.reg .u64 %%at;\n\tcvta.to.global.u64 %%at, %1;\n\tld.global.s32 %0, [%%at+4];\n}" : "=r"(b) : "l"(in + i));
  out[i] = a + b + in[i + 1];
}

extern "C" __global__ void bits(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i], a, b, c, d;
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(a) : "r"(x));
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(b) : "r"(x), "r"(a));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(c) : "r"(x), "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(d) : "r"(c), "r"(x));
  out[i] = d;
}
