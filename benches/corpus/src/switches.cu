// Dense and sparse switches, a machine that runs a small program, states with jumps.

extern "C" __global__ void dense(const int *op, const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i], y = b[i], r;
  switch (op[i]) {
  case 0: r = x + y; break;
  case 1: r = x - y; break;
  case 2: r = x * y; break;
  case 3: r = x / y; break;
  case 4: r = fminf(x, y); break;
  case 5: r = fmaxf(x, y); break;
  case 6: r = sqrtf(x); break;
  case 7: r = x * x + y * y; break;
  case 8: r = a[i + 1 < n ? i + 1 : i]; break;
  case 9: r = -x; // falls through
  case 10: r = y + 1; break;
  default: r = 0;
  }
  out[i] = r;
}

extern "C" __global__ void machine(const unsigned char *code, int length, const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int stack[16], top = 0, at = 0, steps = 0;
  stack[0] = in[i];
  while (at < length && steps++ < 1000) {
    switch (code[at++]) {
    case 0: top = (top + 1) & 15; stack[top] = code[at++]; break;
    case 1: top = (top + 15) & 15; stack[top] += stack[(top + 1) & 15]; break;
    case 2: top = (top + 15) & 15; stack[top] *= stack[(top + 1) & 15]; break;
    case 3: stack[top] = -stack[top]; break;
    case 4: if (stack[top]) at = code[at]; else ++at; break;
    case 5: top = (top + 1) & 15; stack[top] = stack[(top + 15) & 15]; break;
    case 6: stack[top] ^= stack[(top + 15) & 15]; break;
    case 7: at = length; break;
    }
  }
  out[i] = stack[top];
}

extern "C" __global__ void sparse(const int *key, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  switch (key[i]) {
  case -1000: out[i] = 1; break;
  case 5: out[i] = 2; break;
  case 77: out[i] = 3; break;
  case 1 << 20: out[i] = 4; break;
  }
}

// The same switch for all lanes of a block, with rows after each case.
extern "C" __global__ void uniform(const float *__restrict__ in, float *__restrict__ out, int n, int kind) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4 || i >= n - 4)
    return;
  float r = 0;
  switch (kind) {
  case 0: r = in[i]; break;
  case 1: r = in[i - 1] + in[i] + in[i + 1]; break;
  case 2: r = in[i - 2] + in[i - 1] + in[i] + in[i + 1] + in[i + 2]; break;
  case 3: r = in[i - 3] - in[i + 3]; break;
  case 4: r = in[i - 4] + in[i + 4] + in[i]; break;
  case 5: r = in[i] * in[i + 1] * in[i + 2]; break;
  }
  out[i] = r;
}

extern "C" __global__ void words(const char *text, int *counts, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 64, state = 0, count = 0;
  for (int k = i; k < i + 64 && k < n; ++k) {
    char c = text[k];
    switch (state) {
    case 0: state = c == '"' ? 2 : c > ' ' ? (++count, 1) : 0; break;
    case 1: state = c > ' ' ? 1 : 0; break;
    case 2: state = c == '\\' ? 3 : c == '"' ? 0 : 2; break;
    case 3: state = 2; break;
    }
  }
  counts[blockIdx.x * blockDim.x + threadIdx.x] = count;
}
