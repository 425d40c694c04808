; A `switch` of all lanes alike is copied as it is: of its ways some stay in the copy.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300,1
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140,1
; launch: row grid=1 block=64,2 args=f32[520]:zero,f32[520],40,1
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300,3
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140,3
; launch: row grid=1 block=64,2 args=f32[520]:zero,f32[520],40,3
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300,7
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140,7
; launch: row grid=1 block=64,2 args=f32[520]:zero,f32[520],40,7
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n, i32 %s) {
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
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit

body:
  %x = load float, ptr %p, align 4
  switch i32 %s, label %other [
    i32 0, label %exit
    i32 1, label %one
    i32 2, label %two
    i32 3, label %two
    i32 7, label %exit
  ]

one:
  %y1 = load float, ptr %q, align 4
  %z1 = fmul float %x, %y1
  br label %two

two:
  %w = phi float [ %z1, %one ], [ %x, %body ], [ %x, %body ]
  %y2 = load float, ptr %q, align 4
  %z2 = fsub float %w, %y2
  br label %exit

other:
  %z3 = fadd float %x, 3.0
  br label %exit

exit:
  %v = phi float [ 1.0, %entry ], [ %x, %body ], [ %x, %body ], [ %z2, %two ], [ %z3, %other ]
  store float %v, ptr %o, align 4
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
; define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n, i32 %s) #0 {
; entry:
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %base = mul i32 %ctaid, %ntid
;   %i = add i32 %base, %tid
;   %wide = sext i32 %i to i64
;   %p = getelementptr inbounds float, ptr %in, i64 %wide
;   %q = getelementptr inbounds i8, ptr %p, i64 4
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   %inside = icmp slt i32 %i, %n
;   %0 = call i32 @llvm.nvvm.activemask() #3
;   %1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %0, i1 %inside) #3
;   %2 = icmp eq i32 %1, -1
;   %3 = freeze i1 %2
;   br i1 %3, label %body1, label %4
;
; 4:                                                ; preds = %entry
;   br i1 %inside, label %body, label %exit
;
; body:                                             ; preds = %4
;   %x = load float, ptr %p, align 4
;   switch i32 %s, label %other [
;     i32 0, label %exit
;     i32 1, label %one
;     i32 2, label %two
;     i32 3, label %two
;     i32 7, label %exit
;   ]
;
; one:                                              ; preds = %body
;   %y1 = load float, ptr %q, align 4
;   %z1 = fmul float %x, %y1
;   br label %two
;
; two:                                              ; preds = %one, %body, %body
;   %.010 = phi float [ %x, %body ], [ %x, %body ], [ %z1, %one ]
;   %y2 = load float, ptr %q, align 4
;   %z2 = fsub float %.010, %y2
;   br label %exit
;
; other:                                            ; preds = %body1, %body
;   %.011 = phi float [ %x2, %body1 ], [ %x, %body ]
;   %z3 = fadd float %.011, 3.000000e+00
;   br label %exit
;
; exit:                                             ; preds = %30, %body1, %body1, %other, %two, %body, %body, %4
;   %.0 = phi float [ %z3, %other ], [ %z29, %30 ], [ %x2, %body1 ], [ %x2, %body1 ], [ %z2, %two ], [ %x, %body ], [ %x, %body ], [ 1.000000e+00, %4 ]
;   store float %.0, ptr %o, align 4
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
;   %x2 = load float, ptr %p, align 4
;   switch i32 %s, label %other [
;     i32 0, label %exit
;     i32 1, label %one3
;     i32 2, label %two6
;     i32 3, label %two6
;     i32 7, label %exit
;   ]
;
; one3:                                             ; preds = %body1
;   %13 = bitcast float %x2 to i32
;   %14 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %13, i32 1, i32 %12) #3
;   %15 = extractvalue { i32, i1 } %14, 0
;   %16 = extractvalue { i32, i1 } %14, 1
;   %17 = freeze i1 %16
;   %18 = bitcast i32 %15 to float
;   br i1 %17, label %21, label %19
;
; 19:                                               ; preds = %one3
;   %20 = load float, ptr %q, align 4
;   br label %21
;
; 21:                                               ; preds = %one3, %19
;   %y14 = phi float [ %18, %one3 ], [ %20, %19 ]
;   %z15 = fmul float %x2, %y14
;   br label %two6
;
; two6:                                             ; preds = %21, %body1, %body1
;   %.1 = phi float [ %x2, %body1 ], [ %x2, %body1 ], [ %z15, %21 ]
;   %22 = bitcast float %x2 to i32
;   %23 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %22, i32 1, i32 %12) #3
;   %24 = extractvalue { i32, i1 } %23, 0
;   %25 = extractvalue { i32, i1 } %23, 1
;   %26 = freeze i1 %25
;   %27 = bitcast i32 %24 to float
;   br i1 %26, label %30, label %28
;
; 28:                                               ; preds = %two6
;   %29 = load float, ptr %q, align 4
;   br label %30
;
; 30:                                               ; preds = %two6, %28
;   %y28 = phi float [ %27, %two6 ], [ %29, %28 ]
;   %z29 = fsub float %.1, %y28
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
; attributes #0 = { convergent }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
