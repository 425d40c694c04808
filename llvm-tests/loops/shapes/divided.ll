; A divisor that is 0 where no iteration runs. (twin: not-divided-bound)
; launch: divided block=8 args=u32[1],u32[8]:zero,0,3
; launch: divided block=8 args=u32[3],u32[8]:zero,8,3
; launch: divided block=8 args=u32[6],u32[8]:zero,17,3
; launch: divided block=8 args=u32[9],u32[8]:zero,27,3
; launch: divided block=8 args=u32[11],u32[8]:zero,32,3
; launch: divided block=8 args=u32[14],u32[8]:zero,41,3
; launch: divided block=8 args=u32[58],u32[8]:zero,173,3
; launch: divided block=8 args=u32[1],u32[8]:zero,0,0

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @divided(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = zext i32 %tid to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %lane
  %any = icmp slt i32 %tid, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %tid, %entry ], [ %i1, %next ]
  %s = phi i32 [ 0, %entry ], [ %s1, %next ]
  %cut = udiv i32 %i, %m
  %wide = zext i32 %cut to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %wide
  %v = load i32, ptr addrspace(1) %p ; loops: batched, 4 iterations at once
  %low = and i32 %v, 1
  %odd = icmp ne i32 %low, 0
  br i1 %odd, label %arm, label %next
arm:
  %a = mul i32 %s, 31
  %t = add i32 %a, %v
  br label %next
next:
  %s1 = phi i32 [ %s, %loop ], [ %t, %arm ]
  %i1 = add i32 %i, %ntid
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %s1, %next ]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
