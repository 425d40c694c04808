; A single block that counts by a constant: the assembler unrolls it. (twin: rolled)
; launch: not_unrolled block=8 args=u32[8],u32[8]:zero,0
; launch: not_unrolled block=8 args=u32[16],u32[8]:zero,1
; launch: not_unrolled block=8 args=u32[32],u32[8]:zero,3
; launch: not_unrolled block=8 args=u32[40],u32[8]:zero,4
; launch: not_unrolled block=8 args=u32[48],u32[8]:zero,5
; launch: not_unrolled block=8 args=u32[80],u32[8]:zero,9
; launch: not_unrolled block=8 args=u32[224],u32[8]:zero,27

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @not_unrolled(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %added, %loop ]
  %row = mul i32 %k, 8
  %at = add i32 %row, %tid
  %wide = zext i32 %at to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %wide
  %v = load i32, ptr addrspace(1) %p ; loops: kept: the assembler unrolls the loop by itself
  %scaled = mul i32 %sum, 31
  %added = add i32 %scaled, %v
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

done:
  %result = phi i32 [ 0, %entry ], [ %added, %loop ]
  %index = zext i32 %tid to i64
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 %result, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
