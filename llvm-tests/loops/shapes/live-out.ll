; Counter, sum, pointer, and what was loaded last are read behind the loop. (twin: not-live-out)
; launch: live_out block=8 args=u32[1],u32[32]:zero,0
; launch: live_out block=8 args=u32[8],u32[32]:zero,8
; launch: live_out block=8 args=u32[17],u32[32]:zero,17
; launch: live_out block=8 args=u32[27],u32[32]:zero,27
; launch: live_out block=8 args=u32[32],u32[32]:zero,32
; launch: live_out block=8 args=u32[41],u32[32]:zero,41
; launch: live_out block=8 args=u32[173],u32[32]:zero,173

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @live_out(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = zext i32 %tid to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %lane
  %any = icmp slt i32 %tid, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %tid, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %wide
  %v = load i32, ptr addrspace(1) %p ; loops: batched, 4 iterations at once
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %v
  %i1 = add i32 %i, %ntid
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %j = phi i32 [ %tid, %entry ], [ %i1, %loop ]
  %w = phi i32 [ 5, %entry ], [ %v, %loop ]
  %f = phi ptr addrspace(1) [ %x, %entry ], [ %p, %loop ]
  %to = ptrtoint ptr addrspace(1) %f to i64
  %from = ptrtoint ptr addrspace(1) %x to i64
  %apart = sub i64 %to, %from
  %cut = trunc i64 %apart to i32
  %three = mul i64 %lane, 16
  %q0 = getelementptr i8, ptr addrspace(1) %out, i64 %three
  store i32 %r, ptr addrspace(1) %q0
  %q1 = getelementptr i8, ptr addrspace(1) %q0, i64 4
  store i32 %j, ptr addrspace(1) %q1
  %q2 = getelementptr i8, ptr addrspace(1) %q0, i64 8
  store i32 %w, ptr addrspace(1) %q2
  %q3 = getelementptr i8, ptr addrspace(1) %q0, i64 12
  store i32 %cut, ptr addrspace(1) %q3
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
