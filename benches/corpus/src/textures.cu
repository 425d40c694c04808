// Texture and surface objects: all dimensions, layers, levels of detail, gathers.

extern "C" __global__ void read_all(cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t space, float4 *out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  float u = (i + 0.5f) / nx, v = (j + 0.5f) / ny;
  float4 a = tex2D<float4>(plane, u, v);
  float b = tex1D<float>(line, u), c = tex3D<float>(space, u, v, 0.5f);
  int d = tex1Dfetch<int>(line, i);
  out[j * nx + i] = make_float4(a.x + b, a.y + c, a.z + d, a.w);
}

extern "C" __global__ void layers(cudaTextureObject_t stack, cudaTextureObject_t levels, cudaTextureObject_t cube, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = i * 0.25f;
    out[i] = tex2DLayered<float>(stack, x, x, i & 3) + tex2DLod<float>(levels, x, x, 1.5f) + tex2DGrad<float>(levels, x, x, make_float2(1, 0), make_float2(0, 1)) +
             texCubemap<float>(cube, x, 1.f, -x) + tex1DLayered<float>(stack, x, 2);
  }
}

extern "C" __global__ void gathered(cudaTextureObject_t plane, uchar4 *out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny)
    out[j * nx + i] = tex2Dgather<uchar4>(plane, (float)i, (float)j, 1);
}

extern "C" __global__ void blur_rows(cudaTextureObject_t in, const float *__restrict__ taps, float *out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  float sum = 0;
#pragma unroll
  for (int k = -2; k <= 2; ++k)
    sum += taps[k + 2] * tex2D<float>(in, i + k + 0.5f, j + 0.5f);
  out[j * nx + i] = sum;
}

extern "C" __global__ void surfaces(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  float4 x;
  surf2Dread(&x, in, i * 16, j);
  ushort2 y = surf2Dread<ushort2>(in, i * 4, j, cudaBoundaryModeClamp);
  x.x += y.x;
  x.w += y.y;
  surf2Dwrite(x, out, i * 16, j, cudaBoundaryModeZero);
  surf3Dwrite((int)x.x, out, i * 4, j, 0);
  surf1Dwrite((short)i, out, i * 2);
  surf2DLayeredwrite(x.y, out, i * 4, j, 1);
}
