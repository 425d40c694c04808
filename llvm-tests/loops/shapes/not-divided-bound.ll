; A division in the exit condition, by what the path does not know. (twin: divided)
; launch: not_divided_bound block=8 args=u32[1],u32[8]:zero,0,3
; launch: not_divided_bound block=8 args=u32[24],u32[8]:zero,8,3
; launch: not_divided_bound block=8 args=u32[51],u32[8]:zero,17,3
; launch: not_divided_bound block=8 args=u32[81],u32[8]:zero,27,3
; launch: not_divided_bound block=8 args=u32[96],u32[8]:zero,32,3
; launch: not_divided_bound block=8 args=u32[123],u32[8]:zero,41,3
; launch: not_divided_bound block=8 args=u32[519],u32[8]:zero,173,3

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_divided_bound(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n, i32 %m) {
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
  %v = load i32, ptr addrspace(1) %p ; loops: kept: how long the loop runs depends on what it loads @30; lifted by: read the bound of the loop into a variable in front of it
  %a = mul i32 %s, 31
  %s1 = add i32 %a, %v
  %i1 = add i32 %i, %ntid
  %d = udiv i32 %i1, %m
  %more = icmp ult i32 %d, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %s1, %loop ]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
