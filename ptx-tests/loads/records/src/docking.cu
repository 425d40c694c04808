// ptxasw: remarks
// Atoms as records of four floats: each thread has one of a ligand, all walk over those of a protein.
// launch: docking grid=2 block=64 args=f32[48],f32[400],f32[100]:zero,12,100
// launch: docking grid=1 block=32 args=f32[42]@1,f32[132]@1,f32[33]@1,10,32
// launch: docking grid=1 block=32 args=f32[42]@2,f32[132]@2,f32[33],10,32
// launch: docking grid=1 block=32 args=f32[42],f32[132]@2,f32[33],9,32
struct Atom {
  float x, y, z, charge;
};

extern "C" __global__ void docking(const Atom *protein, const Atom *ligand, float *energy, int atoms, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Atom own = ligand[i];
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < atoms; ++k) {
    Atom other = protein[k];
    float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
    sum += own.charge * other.charge / (x * x + y * y + z * z + 0.01f);
  }
  energy[i] = sum;
}
