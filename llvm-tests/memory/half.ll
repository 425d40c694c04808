; A `half` is loaded as one, also out of a pair that is stored as a word, and a `bfloat` as one. (twin: not-forward-part)
; launch: half grid=2 block=64 args=u32[512],u32[512]:zero,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @half(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, 64
  %i = add i32 %base, %tid
  %wide = zext i32 %i to i64
  %own = mul i64 %wide, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %own
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %own
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 8
  %q12 = getelementptr i8, ptr addrspace(1) %q, i64 12
  %number = uitofp i32 %tid to float
  %h = fptrunc float %number to half
  %b = fptrunc float %number to bfloat
  store half %h, ptr addrspace(1) %q
  %h1 = load half, ptr addrspace(1) %q ; memory: forwarded from the store @23
  store bfloat %b, ptr addrspace(1) %q4
  %b1 = load bfloat, ptr addrspace(1) %q4 ; memory: forwarded from the store @25
  store i32 %i, ptr addrspace(1) %q8 ; memory: kept: no test at the entry shows that its address and its neighbours' are aligned; lifted by: declare the type `alignas(16)`
  %h2 = load half, ptr addrspace(1) %q8 ; memory: forwarded from the store @27
  %f1 = fpext half %h1 to float
  %f2 = fpext bfloat %b1 to float
  %f3 = fpext half %h2 to float
  %f4 = fadd float %f1, %f2
  %f5 = fadd float %f4, %f3
  store float %f5, ptr addrspace(1) %q12 ; memory: kept: no test at the entry shows that its address and its neighbours' are aligned; lifted by: declare the type `alignas(16)`
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx73" }
