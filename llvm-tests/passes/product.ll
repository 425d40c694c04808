; Products by 2: one whose promise goes with it, one of the other, one of 8 bits, one in a loop.
; launch: product grid=1 block=64 args=u32[64],u32[64]:zero,5
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @product(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %from
  %a = mul nuw i32 %t, 2
  %b = mul i32 %a, 2
  %narrow = trunc i32 %x to i8
  %c = mul i8 %narrow, 2
  %wide = zext i8 %c to i32
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %wide, %entry ], [ %again, %loop ]
  %twice = mul i32 %sum, 2
  %again = add i32 %twice, %b
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %again, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
