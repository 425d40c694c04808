; What a copy defines is read behind it, and in the next iteration around it.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300,5
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140,5
; launch: row grid=1 block=64,2 args=f32[520]:zero,f32[520],40,5
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n, i32 %rounds) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  %some = icmp sgt i32 %rounds, 0
  br i1 %some, label %loop, label %exit

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %join ]
  %last = phi float [ 0.0, %entry ], [ %kept, %join ]
  %sum = phi float [ 1.0, %entry ], [ %more, %join ]
  %j = add i32 %i, %k
  %inside = icmp slt i32 %j, %n
  br i1 %inside, label %body, label %join

body:
  %x = load float, ptr %p, align 4
  %y = load float, ptr %q, align 4
  %difference = fsub float %x, %y
  %again = fdiv float %difference, %y
  %large = fcmp ogt float %again, 1.0
  br i1 %large, label %join, label %join

join:
  %more = phi float [ %sum, %loop ], [ %again, %body ], [ %again, %body ]
  %kept = phi float [ %last, %loop ], [ %difference, %body ], [ %difference, %body ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %loop

exit:
  %v = phi float [ 0.0, %entry ], [ %more, %join ]
  %w = phi float [ 0.0, %entry ], [ %kept, %join ]
  %z = fdiv float %v, %w
  store float %z, ptr %o, align 4
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
; define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n, i32 %rounds) #0 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, %ntid
;   %i = add i32 %base, %tid
;   %wide = sext i32 %i to i64
;   %p = getelementptr inbounds float, ptr %in, i64 %wide
;   %q = getelementptr inbounds i8, ptr %p, i64 4
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   %some = icmp sgt i32 %rounds, 0
;   %0 = call i32 @llvm.nvvm.activemask() #4
;   %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %3 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %4 = sub i32 %1, %2
;   %5 = add i32 %4, %3
;   %6 = add i32 %5, -1
;   %7 = add i32 %i, 2147483617
;   %8 = icmp ult i32 -63, %7
;   %9 = xor i1 %8, true
;   %10 = select i1 %9, i32 %6, i32 %1
;   %11 = icmp slt i32 %10, 31
;   %12 = select i1 %11, i32 %10, i32 31
;   br i1 %some, label %loop, label %exit
;
; loop:                                             ; preds = %join, %entry
;   %k = phi i32 [ 0, %entry ], [ %next, %join ]
;   %last = phi float [ 0.000000e+00, %entry ], [ %17, %join ]
;   %sum = phi float [ 1.000000e+00, %entry ], [ %18, %join ]
;   %j = add i32 %i, %k
;   %inside = icmp slt i32 %j, %n
;   %13 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %0, i1 %inside) #4
;   %14 = icmp eq i32 %13, -1
;   %15 = freeze i1 %14
;   br i1 %15, label %body1, label %16, !ptxasw.fallback !0
;
; 16:                                               ; preds = %loop
;   br i1 %inside, label %body, label %join
;
; body:                                             ; preds = %16
;   %x = load float, ptr %p, align 4
;   %y = load float, ptr %q, align 4
;   %difference = fsub float %x, %y
;   %again = fdiv float %difference, %y
;   %large = fcmp ogt float %again, 1.000000e+00
;   br i1 %large, label %join, label %join
;
; join:                                             ; preds = %27, %27, %body, %body, %16
;   %17 = phi float [ %difference4, %27 ], [ %difference4, %27 ], [ %last, %16 ], [ %difference, %body ], [ %difference, %body ]
;   %18 = phi float [ %again5, %27 ], [ %again5, %27 ], [ %sum, %16 ], [ %again, %body ], [ %again, %body ]
;   %next = add nuw nsw i32 %k, 1
;   %done = icmp eq i32 %next, %rounds
;   br i1 %done, label %exit, label %loop
;
; exit:                                             ; preds = %join, %entry
;   %v = phi float [ 0.000000e+00, %entry ], [ %18, %join ]
;   %w = phi float [ 0.000000e+00, %entry ], [ %17, %join ]
;   %z = fdiv float %v, %w
;   store float %z, ptr %o, align 4
;   ret void
;
; body1:                                            ; preds = %loop
;   %x2 = load float, ptr %p, align 4
;   %19 = bitcast float %x2 to i32
;   %20 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %19, i32 1, i32 %12) #4
;   %21 = extractvalue { i32, i1 } %20, 0
;   %22 = extractvalue { i32, i1 } %20, 1
;   %23 = freeze i1 %22
;   %24 = bitcast i32 %21 to float
;   br i1 %23, label %27, label %25
;
; 25:                                               ; preds = %body1
;   %26 = load float, ptr %q, align 4
;   br label %27
;
; 27:                                               ; preds = %body1, %25
;   %y3 = phi float [ %24, %body1 ], [ %26, %25 ]
;   %difference4 = fsub float %x2, %y3
;   %again5 = fdiv float %difference4, %y3
;   %large6 = fcmp ogt float %again5, 1.000000e+00
;   br i1 %large6, label %join, label %join
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
; declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2
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
