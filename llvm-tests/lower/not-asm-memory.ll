; Inline assembly of which nothing says that it leaves memory alone may write it.
; ptxasw: explain

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %a = load float, ptr %p, align 4
  %c = call float asm "abs.f32 $0, $1;", "=f,f"(float %a)
  %q = getelementptr inbounds float, ptr %p, i64 1
  %b = load float, ptr %q, align 4
  %s = fadd float %a, %b
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; expect:
; kernel `k`: 0 of 2 loads become shuffles
;
; note: kept (C1): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:10:3
;    |
; 10 |   %a = load float, ptr %p, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;
; note: kept (C3): a call or unknown instruction between source and destination
;   --> <stdin>:13:3
;    |
; 11 |   %c = call float asm "abs.f32 $0, $1;", "=f,f"(float %a)
;    |   ------------------------------------------------------- a call or unknown instruction
; 12 |   %q = getelementptr inbounds float, ptr %p, i64 1
; 13 |   %b = load float, ptr %q, align 4
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stays a load
;    |
;    = note: would be lifted by: loading the value before it
;
; assumed: the kernel is free of data races, as CUDA C++ demands
