// Index arithmetic shared by the operators: x is the fastest dimension, one
// thread computes one x, and the outer dimensions lie over blockIdx.y and .z.
#pragma once

#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define AT2(i, j) ((j) * nx + (i))
#define AT3(i, j, k) (((k) * ny + (j)) * nx + (i))
