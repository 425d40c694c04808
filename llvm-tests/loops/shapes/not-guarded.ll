; The only load is one of the first iterations: behind them there is nothing. (twin: guarded)
; launch: not_guarded block=8 args=u32[1],u32[8]:zero,0,1
; launch: not_guarded block=8 args=u32[8],u32[8]:zero,8,8
; launch: not_guarded block=8 args=u32[3],u32[8]:zero,41,3
; launch: not_guarded block=8 args=u32[9],u32[8]:zero,173,9
; launch: not_guarded block=8 args=u32[30],u32[8]:zero,173,30

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_guarded(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n, i32 %m) {
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
  %first = icmp slt i32 %i, %m
  br i1 %first, label %arm, label %next
arm:
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %wide
  %v = load i32, ptr addrspace(1) %p ; loops: kept: none of its loads is executed in each iteration
  %t = mul i32 %s, 31
  %u = add i32 %t, %v
  br label %next
next:
  %s1 = phi i32 [ %s, %loop ], [ %u, %arm ]
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
