; A promise on one way is none on the other: behind the join the index is checked.
; ptxasw: remarks
; launch: row grid=3 block=128 args=f32[384]:zero,f32[4400],4000
; launch: row grid=3 block=40 args=f32[384]:zero,f32[4400],3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %start) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %size
  %place = add i32 %first, %tid
  %i = add i32 %start, %tid
  %odd = icmp sgt i32 %start, 5
  br i1 %odd, label %one, label %both

one:
  %low = icmp slt i32 %i, 1000000
  call void @llvm.assume(i1 %low)
  br label %both

both:
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %q = getelementptr float, ptr %p, i64 1
  %x = load float, ptr %p, align 4 ; mask: F, 1 check | kept: C1-no-source, source
  %y = load float, ptr %q, align 4 ; covered: N=+1 from @28, F
  %z = fmul float %x, %y
  %cell = zext i32 %place to i64
  %o = getelementptr inbounds float, ptr %out, i64 %cell
  store float %z, ptr %o, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.assume(i1)
