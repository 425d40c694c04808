; Two counters: either ends the loop. (twin: not-two-exits)
; launch: two_exits block=8 args=u32[1],u32[8]:zero,173,0
; launch: two_exits block=8 args=u32[8],u32[8]:zero,173,1
; launch: two_exits block=8 args=u32[24],u32[8]:zero,173,3
; launch: two_exits block=8 args=u32[32],u32[8]:zero,173,4
; launch: two_exits block=8 args=u32[40],u32[8]:zero,173,5
; launch: two_exits block=8 args=u32[160],u32[8]:zero,173,20
; launch: two_exits block=8 args=u32[1],u32[8]:zero,0,9
; launch: two_exits block=8 args=u32[8],u32[8]:zero,8,9
; launch: two_exits block=8 args=u32[27],u32[8]:zero,27,9
; launch: two_exits block=8 args=u32[32],u32[8]:zero,32,9
; launch: two_exits block=8 args=u32[41],u32[8]:zero,41,9
; launch: two_exits block=8 args=u32[173],u32[8]:zero,173,90

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @two_exits(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = zext i32 %tid to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %lane
  %any = icmp slt i32 %tid, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %tid, %entry ], [ %i1, %body ]
  %s = phi i32 [ 0, %entry ], [ %s1, %body ]
  %k = phi i32 [ 0, %entry ], [ %k1, %body ]
  %k1 = add i32 %k, 1
  %on = icmp slt i32 %k, %m
  br i1 %on, label %body, label %end
body:
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %wide
  %v = load i32, ptr addrspace(1) %p ; loops: batched, 4 iterations at once
  %t = mul i32 %s, 31
  %s1 = add i32 %t, %v
  %i1 = add i32 %i, %ntid
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %s, %loop ], [ %s1, %body ]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
