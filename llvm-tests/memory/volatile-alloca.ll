; A volatile store to memory of the thread alone. (twin: not-volatile)
; launch: vollocal grid=1 block=32 args=5,u32[128]:zero

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @vollocal(i32 %n, ptr addrspace(1) align 16 %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %tid to i64
  %x = alloca i32
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %w
  store i32 %n, ptr %x
  %a = load i32, ptr %x ; memory: forwarded from the store @13
  %m = add i32 %n, 7
  store volatile i32 %m, ptr %x
  %b = load i32, ptr %x ; memory: kept: a volatile or ordering access lies between @16
  %s = add i32 %a, %b
  store i32 %s, ptr addrspace(1) %q
  ret void
}
