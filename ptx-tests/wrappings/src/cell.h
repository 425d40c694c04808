// Coordinates of a thread, and a result cell of its own in blocks of any shape: what a row gets wrong can't hide behind
// what another row writes.
#pragma once

#define X ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define ROW ((int)(threadIdx.z * blockDim.y + threadIdx.y))
#define CELL (blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + ROW * blockDim.x + threadIdx.x)
