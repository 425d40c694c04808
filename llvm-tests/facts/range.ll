; The start of a row, out of memory, lies in a range: its sum with the thread index does not wrap.
; ptxasw: remarks
; launch: row grid=3 block=128 args=f32[384]:zero,f32[1200],u32[3]%1000
; launch: row grid=3 block=40 args=f32[120]:zero,f32[1200],u32[3]%1000
; launch: row grid=2 block=24,2 args=f32[96]:zero,f32[1200],u32[2]%1000

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, ptr noalias readonly %starts) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %which = zext i32 %block to i64
  %s = getelementptr inbounds i32, ptr %starts, i64 %which
  %start = load i32, ptr %s, align 4, !range !0 ; kept: C1-no-source
  %i = add i32 %start, %tid
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %q = getelementptr float, ptr %p, i64 1
  %r = getelementptr float, ptr %p, i64 2
  %x = load float, ptr %p, align 4 ; mask: F | kept: C1-no-source, source
  %y = load float, ptr %q, align 4 ; covered: N=+1 from @22, F
  %z = load float, ptr %r, align 4 ; covered: N=+2 from @22, F
  %sum = fadd float %x, %y
  %all = fmul float %sum, %z
  %first = mul i32 %block, %size
  %place = add i32 %first, %tid
  %cell = zext i32 %place to i64
  %o = getelementptr inbounds float, ptr %out, i64 %cell
  store float %all, ptr %o, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!0 = !{i32 0, i32 1000000}
