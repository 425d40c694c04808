; What bytes are exchanged of may be poison in part: what a function that a kernel may call stores is frozen, as are its own stores.
; ptxasw: opt
; launch: row grid=3 block=128 args=u8[520]:zero,u8[520],300
; launch: row grid=3 block=48 args=u8[520]:zero,u8[520],140
; launch: row grid=3 block=64,2 args=u8[520]:zero,u8[520],190
; launch: row grid=3 block=16,8 args=u8[520]:zero,u8[520],48

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
  %p = getelementptr inbounds i8, ptr %in, i64 %wide
  %x = load i8, ptr %p, align 1
  %q = getelementptr inbounds i8, ptr %p, i64 1
  %y = load i8, ptr %q, align 1
  %z = add i8 %x, %y
  %o = getelementptr inbounds i8, ptr %out, i64 %wide
  store i8 %z, ptr %o, align 1
  br label %exit

exit:
  ret void
}

define void @stores(ptr %p, i32 %v) {
  %w = add nsw i32 %v, 1
  store i32 %w, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
