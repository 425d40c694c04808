; The addresses of two corner loads have a part in common, which moves in front of their source once.
; ptxasw: opt --profit always --wrapping early
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140
; launch: row grid=3 block=64,2 args=f32[520]:zero,f32[520],190

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nsw i32 %block, %size
  %i = add nsw i32 %first, %thread
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %end

body:
  %wide = sext i32 %i to i64
  %middle = add nsw i64 %wide, 2
  %here = getelementptr float, ptr %in, i64 %middle
  %v0 = load float, ptr %here
  %common = getelementptr float, ptr %in, i64 %wide
  %right = getelementptr i8, ptr %common, i64 32
  %v1 = load float, ptr %right
  %left = getelementptr i8, ptr %common, i64 4
  %v2 = load float, ptr %left
  %s1 = fsub float %v0, %v1
  %s2 = fmul float %s1, %v2
  %to = getelementptr float, ptr %out, i64 %wide
  store float %s2, ptr %to
  br label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent
; define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) #0 {
;   %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %first = mul nsw i32 %block, %size
;   %i = add nsw i32 %first, %thread
;   %inside = icmp slt i32 %i, %n
;   br i1 %inside, label %body, label %end
;
; body:                                             ; preds = %0
;   %wide = sext i32 %i to i64
;   %middle = add nsw i64 %wide, 2
;   %here = getelementptr float, ptr %in, i64 %middle
;   %common = getelementptr float, ptr %in, i64 %wide
;   %right = getelementptr i8, ptr %common, i64 32
;   %left = getelementptr i8, ptr %common, i64 4
;   %1 = call i32 @llvm.nvvm.activemask() #3
;   %2 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %3 = icmp eq i32 %1, -1
;   %4 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3
;   %5 = sub i32 %2, %4
;   %6 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %7 = add i32 %5, %6
;   %8 = add i32 %7, -1
;   %9 = icmp slt i32 %8, 31
;   %10 = select i1 %9, i32 %8, i32 31
;   %11 = sub i32 %10, %2
;   %12 = select i1 %3, i32 %11, i32 0
;   %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3
;   %14 = sub i32 %2, %13
;   %15 = icmp sgt i32 %14, 0
;   %16 = select i1 %15, i32 %14, i32 0
;   %17 = sub i32 %2, %16
;   %18 = select i1 %3, i32 %17, i32 0
;   %v0 = load float, ptr %here, align 4
;   %19 = bitcast float %v0 to i32
;   %20 = icmp sge i32 %12, 6
;   %21 = xor i1 %20, true
;   br i1 %21, label %22, label %24
;
; 22:                                               ; preds = %body
;   %23 = load float, ptr %right, align 4
;   br label %24
;
; 24:                                               ; preds = %body, %22
;   %25 = phi float [ poison, %body ], [ %23, %22 ]
;   %26 = icmp sge i32 %18, 1
;   %27 = xor i1 %26, true
;   br i1 %27, label %28, label %30
;
; 28:                                               ; preds = %24
;   %29 = load float, ptr %left, align 4
;   br label %30
;
; 30:                                               ; preds = %24, %28
;   %31 = phi float [ poison, %24 ], [ %29, %28 ]
;   %32 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %1, i32 %19, i32 6, i32 31) #3
;   %33 = bitcast i32 %32 to float
;   %34 = select i1 %20, float %33, float %25
;   %35 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 %1, i32 %19, i32 1, i32 0) #3
;   %36 = bitcast i32 %35 to float
;   %37 = select i1 %26, float %36, float %31
;   %s1 = fsub float %v0, %34
;   %s2 = fmul float %s1, %37
;   %to = getelementptr float, ptr %out, i64 %wide
;   store float %s2, ptr %to, align 4
;   br label %end
;
; end:                                              ; preds = %30, %0
;   ret void
; }
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) #2
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
