; Where lanes may part and meet again, whole warps run a copy.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %x = load float, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  store float %z, ptr %o, align 4
  br label %exit

exit:
  %w2 = sext i32 %i to i64
  %o2 = getelementptr inbounds float, ptr %out, i64 %w2
  %c = load float, ptr %o2, align 4
  %d = fadd float %c, 1.0
  store float %d, ptr %o2, align 4
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
; define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, %ntid
;   %i = add i32 %base, %tid
;   %inside = icmp slt i32 %i, %n
;   %0 = call i32 @llvm.nvvm.activemask() #4
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %0, i1 %inside) #4
;   %2 = icmp eq i32 %1, -1
;   %3 = freeze i1 %2
;   br i1 %3, label %body1, label %4, !ptxasw.fallback !0
;
; 4:                                                ; preds = %entry
;   br i1 %inside, label %body, label %exit
;
; body:                                             ; preds = %4
;   %wide = sext i32 %i to i64
;   %p = getelementptr inbounds float, ptr %in, i64 %wide
;   %x = load float, ptr %p, align 4
;   %q = getelementptr inbounds i8, ptr %p, i64 4
;   %y = load float, ptr %q, align 4
;   %z = fadd float %x, %y
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   store float %z, ptr %o, align 4
;   br label %exit
;
; exit:                                             ; preds = %21, %body, %4
;   %w2 = sext i32 %i to i64
;   %o2 = getelementptr inbounds float, ptr %out, i64 %w2
;   %c = load float, ptr %o2, align 4
;   %d = fadd float %c, 1.000000e+00
;   store float %d, ptr %o2, align 4
;   ret void
;
; body1:                                            ; preds = %entry
;   %5 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %7 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %8 = sub i32 %5, %6
;   %9 = add i32 %8, %7
;   %10 = add i32 %9, -1
;   %11 = icmp slt i32 %10, 31
;   %12 = select i1 %11, i32 %10, i32 31
;   %wide2 = sext i32 %i to i64
;   %p3 = getelementptr inbounds float, ptr %in, i64 %wide2
;   %x4 = load float, ptr %p3, align 4
;   %q5 = getelementptr inbounds i8, ptr %p3, i64 4
;   %13 = bitcast float %x4 to i32
;   %14 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %13, i32 1, i32 %12) #4
;   %15 = extractvalue { i32, i1 } %14, 0
;   %16 = extractvalue { i32, i1 } %14, 1
;   %17 = freeze i1 %16
;   %18 = bitcast i32 %15 to float
;   br i1 %17, label %21, label %19
;
; 19:                                               ; preds = %body1
;   %20 = load float, ptr %q5, align 4
;   br label %21
;
; 21:                                               ; preds = %body1, %19
;   %y6 = phi float [ %18, %body1 ], [ %20, %19 ]
;   %z7 = fadd float %x4, %y6
;   %o8 = getelementptr inbounds float, ptr %out, i64 %wide2
;   store float %z7, ptr %o8, align 4
;   br label %exit
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
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2
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
;
; !0 = !{}
