; The mask of a loop of uniform control is read in front of it.
; ptxasw: opt
; launch: rows grid=3 block=128 args=f32[520]:zero,f32[2100],3
; launch: rows grid=3 block=48 args=f32[520]:zero,f32[2100],2
; launch: rows grid=2 block=16,8 args=f32[520]:zero,f32[2100],1

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @rows(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %wide = sext i32 %i to i64
  %first = getelementptr inbounds float, ptr %in, i64 %wide
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %exit

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul nsw i32 %k, 400
  %r = sext i32 %row to i64
  %p = getelementptr inbounds float, ptr %first, i64 %r
  %x = load float, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %y = load float, ptr %q, align 4
  %z = fmul float %x, %y
  %more = fadd float %sum, %z
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop

end:
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  store float %more, ptr %o, align 4
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent
; define ptx_kernel void @rows(ptr noalias %out, ptr noalias readonly %in, i32 %n) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, %ntid
;   %i = add i32 %base, %tid
;   %wide = sext i32 %i to i64
;   %first = getelementptr inbounds float, ptr %in, i64 %wide
;   %some = icmp sgt i32 %n, 0
;   %0 = call i32 @llvm.nvvm.activemask() #4
;   %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %3 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %4 = sub i32 %1, %2
;   %5 = add i32 %4, %3
;   %6 = add i32 %5, -1
;   %7 = icmp eq i32 %0, -1
;   %8 = add i32 %i, 2147483617
;   %9 = icmp ult i32 -63, %8
;   %10 = xor i1 %9, true
;   %11 = and i1 %10, %7
;   %12 = select i1 %11, i32 %6, i32 %1
;   %13 = icmp slt i32 %12, 31
;   %14 = select i1 %13, i32 %12, i32 31
;   br i1 %some, label %loop, label %exit
;
; loop:                                             ; preds = %23, %entry
;   %k = phi i32 [ 0, %entry ], [ %next, %23 ]
;   %sum = phi float [ 0.000000e+00, %entry ], [ %more, %23 ]
;   %row = mul nsw i32 %k, 400
;   %r = sext i32 %row to i64
;   %p = getelementptr inbounds float, ptr %first, i64 %r
;   %x = load float, ptr %p, align 4
;   %q = getelementptr inbounds i8, ptr %p, i64 4
;   %15 = bitcast float %x to i32
;   %16 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %15, i32 1, i32 %14) #4
;   %17 = extractvalue { i32, i1 } %16, 0
;   %18 = extractvalue { i32, i1 } %16, 1
;   %19 = freeze i1 %18
;   %20 = bitcast i32 %17 to float
;   br i1 %19, label %23, label %21
;
; 21:                                               ; preds = %loop
;   %22 = load float, ptr %q, align 4
;   br label %23
;
; 23:                                               ; preds = %loop, %21
;   %y = phi float [ %20, %loop ], [ %22, %21 ]
;   %z = fmul float %x, %y
;   %more = fadd float %sum, %z
;   %next = add nuw nsw i32 %k, 1
;   %done = icmp eq i32 %next, %n
;   br i1 %done, label %end, label %loop
;
; end:                                              ; preds = %23
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   store float %more, ptr %o, align 4
;   br label %exit
;
; exit:                                             ; preds = %end, %entry
;   ret void
; }
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.activemask() #2
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.laneid() #1
;
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent "ptxasw"="1: shuffle" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
