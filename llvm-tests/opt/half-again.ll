; The word that was loaded as a `half` is loaded as a `bfloat`, of which LLVM has no direct conversion: its bits go through a pair.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[520]:zero,u16[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,u16[520],140
; launch: row grid=3 block=64,2 args=f32[520]:zero,u16[520],190
; launch: row grid=3 block=16,8 args=f32[520]:zero,u16[520],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) "target-features"="+ptx73" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds half, ptr %in, i64 %wide
  %h = load half, ptr %p, align 2
  %x = fpext half %h to float
  %q = getelementptr inbounds i8, ptr %p, i64 0
  %b = load bfloat, ptr %q, align 2
  %y = fpext bfloat %b to float
  %z = fadd float %x, %y
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  store float %z, ptr %o, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
