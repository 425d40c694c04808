# The CUDA C++ by CuPy's NVRTC.
from cupy.cuda import nvrtc

with open("butterfly.cu") as file:
    program = nvrtc.createProgram(file.read(), "butterfly.cu", (), ())
nvrtc.compileProgram(program, ("--gpu-architecture=compute_80",))
with open("made.ptx", "wb") as file:
    file.write(nvrtc.getPTX(program).rstrip(b"\0"))
