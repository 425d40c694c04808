; Two words in one load. (twin: not-bytes)
; launch: wide block=8 args=u32[2],u32[8]:zero,0
; launch: wide block=8 args=u32[16],u32[8]:zero,8
; launch: wide block=8 args=u32[34],u32[8]:zero,17
; launch: wide block=8 args=u32[54],u32[8]:zero,27
; launch: wide block=8 args=u32[64],u32[8]:zero,32
; launch: wide block=8 args=u32[82],u32[8]:zero,41
; launch: wide block=8 args=u32[346],u32[8]:zero,173

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @wide(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
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
  %p = getelementptr <2 x i32>, ptr addrspace(1) %x, i64 %wide
  %both = load <2 x i32>, ptr addrspace(1) %p ; loops: batched, 4 iterations at once
  %v = extractelement <2 x i32> %both, i32 0
  %w = extractelement <2 x i32> %both, i32 1
  %m = mul i32 %s, 31
  %t = add i32 %m, %v
  %s1 = xor i32 %t, %w
  %i1 = add i32 %i, %ntid
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %s1, %loop ]
  store i32 %r, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
