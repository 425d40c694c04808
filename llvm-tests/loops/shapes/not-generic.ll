; A generic pointer, and an arm that stores to shared memory, where it may lead. (twin: generic)
; launch: not_generic block=8 args=u32[1],u32[8]:zero,0,0
; launch: not_generic block=8 args=u32[8],u32[8]:zero,8,0
; launch: not_generic block=8 args=u32[17],u32[8]:zero,17,0
; launch: not_generic block=8 args=u32[27],u32[8]:zero,27,0
; launch: not_generic block=8 args=u32[32],u32[8]:zero,32,0
; launch: not_generic block=8 args=u32[41],u32[8]:zero,41,0
; launch: not_generic block=8 args=u32[173],u32[8]:zero,173,0
; launch: not_generic block=8 args=u32[1],u32[8]:zero,8,1
; launch: not_generic block=8 args=u32[1],u32[8]:zero,32,1
; launch: not_generic block=8 args=u32[1],u32[8]:zero,72,1

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@words = internal addrspace(3) global [16 x i32] undef, align 4

define ptx_kernel void @not_generic(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = zext i32 %tid to i64
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %lane
  %mine = getelementptr [16 x i32], ptr addrspace(3) @words, i64 0, i64 %lane
  store i32 %tid, ptr addrspace(3) %mine
  %own = addrspacecast ptr addrspace(3) @words to ptr
  %other = addrspacecast ptr addrspace(1) %x to ptr
  %pick = icmp eq i32 %m, 0
  %g = select i1 %pick, ptr %other, ptr %own
  %bits = select i1 %pick, i32 -1, i32 7
  %any = icmp slt i32 %tid, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %tid, %entry ], [ %i1, %next ]
  %s = phi i32 [ 0, %entry ], [ %s1, %next ]
  %cut = and i32 %i, %bits
  %wide = sext i32 %cut to i64
  %p = getelementptr i32, ptr %g, i64 %wide
  %v = load i32, ptr %p ; loops: kept: the loop stores, and its iterations branch
  %low = and i32 %i, 16
  %odd = icmp ne i32 %low, 0
  br i1 %odd, label %arm, label %next
arm:
  %t = mul i32 %v, 3
  store i32 %t, ptr addrspace(3) %mine
  br label %next
next:
  %a = mul i32 %s, 31
  %s1 = add i32 %a, %v
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
