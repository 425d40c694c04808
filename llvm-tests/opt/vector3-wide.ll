; Three of 64 bits.
; ptxasw: remarks
; launch: row grid=3 block=128 args=u32[2624]:zero,u32[2624],300
; launch: row grid=3 block=48 args=u32[2624]:zero,u32[2624],140
; launch: row grid=3 block=64,2 args=u32[2624]:zero,u32[2624],190
; launch: row grid=3 block=16,8 args=u32[2624]:zero,u32[2624],48

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
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
  %p = getelementptr inbounds <3 x i64>, ptr %in, i64 %wide
  %x = load <3 x i64>, ptr %p, align 32 ; mask: F | kept: C1-no-source, source
  %q = getelementptr inbounds i8, ptr %p, i64 32
  %y = load <3 x i64>, ptr %q, align 32 ; covered: N=+1 from @24, F
  %z = add <3 x i64> %x, %y
  %o = getelementptr inbounds <3 x i64>, ptr %out, i64 %wide
  store <3 x i64> %z, ptr %o, align 32
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
