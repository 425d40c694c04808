// Index arithmetic shared by the operators: x is the fastest dimension, and one
// thread computes one point, whatever the shape of the blocks.
#pragma once

#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define Y (blockIdx.y * blockDim.y + threadIdx.y)
#define Z (blockIdx.z * blockDim.z + threadIdx.z)
#define AT2(i, j) ((j) * nx + (i))
#define AT3(i, j, k) (((k) * ny + (j)) * nx + (i))
