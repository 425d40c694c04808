// A dense switch (brx.idx) and a loop with several exits.
// launch: machine grid=2 block=64 args=u8[24]%12,u32[128],24
extern "C" __global__ void machine(const unsigned char *__restrict__ code,
                                   int *__restrict__ out, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = i, b = 1;
  for (int pc = 0; pc < length; ++pc) {
    switch (code[pc]) {
    case 0: out[i] = a; return;
    case 1: a += b; break;
    case 2: a -= b; break;
    case 3: a *= 3; break;
    case 4: b = a; break;
    case 5: a ^= b << 2; break;
    case 6: a = a / (b | 1); break;
    case 7: if (a & 1) pc += 2; break;
    case 8: a = __popc(a); break;
    case 9: b = __clz(b); break;
    default: out[i] = -1; continue;
    }
    out[i] = a + b;
  }
}
