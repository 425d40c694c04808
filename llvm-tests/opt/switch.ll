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
;   %5 = phi float [ %x, %body ], [ %x, %body ], [ %z1, %one ]
;   %y2 = load float, ptr %q, align 4
;   %z2 = fsub float %5, %y2
;   br label %exit
;
; other:                                            ; preds = %body1, %body
;   %6 = phi float [ %x2, %body1 ], [ %x, %body ]
;   %z3 = fadd float %6, 3.000000e+00
;   br label %exit
;
; exit:                                             ; preds = %34, %body1, %body1, %other, %two, %body, %body, %4
;   %7 = phi float [ %x2, %body1 ], [ %x2, %body1 ], [ %z29, %34 ], [ %z3, %other ], [ 1.000000e+00, %4 ], [ %x, %body ], [ %x, %body ], [ %z2, %two ]
;   store float %7, ptr %o, align 4
;   ret void
;
; body1:                                            ; preds = %entry
;   %8 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %9 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %10 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %11 = sub i32 %8, %9
;   %12 = add i32 %11, %10
;   %13 = add i32 %12, -1
;   %14 = icmp slt i32 %13, 31
;   %15 = select i1 %14, i32 %13, i32 31
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
;   %16 = bitcast float %x2 to i32
;   %17 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %16, i32 1, i32 %15) #4
;   %18 = extractvalue { i32, i1 } %17, 0
;   %19 = extractvalue { i32, i1 } %17, 1
;   %20 = freeze i1 %19
;   %21 = bitcast i32 %18 to float
;   br i1 %20, label %24, label %22
;
; 22:                                               ; preds = %one3
;   %23 = load float, ptr %q, align 4
;   br label %24
;
; 24:                                               ; preds = %one3, %22
;   %y14 = phi float [ %21, %one3 ], [ %23, %22 ]
;   %z15 = fmul float %x2, %y14
;   br label %two6
;
; two6:                                             ; preds = %24, %body1, %body1
;   %25 = phi float [ %x2, %body1 ], [ %x2, %body1 ], [ %z15, %24 ]
;   %26 = bitcast float %x2 to i32
;   %27 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %26, i32 1, i32 %15) #4
;   %28 = extractvalue { i32, i1 } %27, 0
;   %29 = extractvalue { i32, i1 } %27, 1
;   %30 = freeze i1 %29
;   %31 = bitcast i32 %28 to float
;   br i1 %30, label %34, label %32
;
; 32:                                               ; preds = %two6
;   %33 = load float, ptr %q, align 4
;   br label %34
;
; 34:                                               ; preds = %two6, %32
;   %y28 = phi float [ %31, %two6 ], [ %33, %32 ]
;   %z29 = fsub float %25, %y28
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
