; The last sums of the counter wrap, which is poison: nobody may ask for them who is behind another exit. (twin: not-divided-bound)
; launch: wraps block=8 args=u32[64],u32[8]:zero,0
; launch: wraps block=8 args=u32[64],u32[8]:zero,1
; launch: wraps block=8 args=u32[64],u32[8]:zero,2
; launch: wraps block=1 args=u32[64],u32[8]:zero,3
; launch: wraps block=1 args=u32[64],u32[8]:zero,4
; launch: wraps block=1 args=u32[64],u32[8]:zero,5
; launch: wraps block=1 args=u32[64],u32[8]:zero,9
; launch: wraps block=1 args=u32[64],u32[8]:zero,20

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @wraps(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = zext i32 %tid to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %lane
  %begin = add i32 %tid, 2147483620
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %begin, %entry ], [ %i1, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %cut = and i32 %i, 63
  %wide = zext i32 %cut to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %wide
  %v = load i32, ptr addrspace(1) %p ; loops: batched, 4 iterations at once
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %v
  %i1 = add nsw i32 %i, %ntid
  %k1 = add nuw nsw i32 %k, 1
  %one = icmp slt i32 %k1, %n
  %other = icmp ne i32 %i1, 77
  %more = select i1 %one, i1 %other, i1 false
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %s1, %loop ]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
