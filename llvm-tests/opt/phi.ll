; Phis behind a block that a corner load cuts take their values from the last piece.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],384
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],0
; launch: row grid=3 block=64,2 args=f32[520]:zero,f32[520],0
; launch: row grid=3 block=16,8 args=f32[520]:zero,f32[520],0

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %wide
  %x = load float, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %y = load float, ptr %q, align 4
  %positive = fcmp ogt float %y, 0.0
  br i1 %positive, label %more, label %end

more:
  %sum = fadd float %x, %y
  br label %end

end:
  %z = phi float [ %x, %entry ], [ %sum, %more ]
  %last = phi float [ %y, %entry ], [ 1.0, %more ]
  %zz = fadd float %z, %last
  %o = getelementptr inbounds float, ptr %out, i64 %wide
  store float %zz, ptr %o, align 4
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
;   %wide = sext i32 %i to i64
;   %p = getelementptr inbounds float, ptr %in, i64 %wide
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
; 21:                                               ; preds = %entry
;   %22 = load float, ptr %q, align 4
;   br label %23
;
; 23:                                               ; preds = %entry, %21
;   %y = phi float [ %20, %entry ], [ %22, %21 ]
;   %positive = fcmp ogt float %y, 0.000000e+00
;   br i1 %positive, label %more, label %end
;
; more:                                             ; preds = %23
;   %sum = fadd float %x, %y
;   br label %end
;
; end:                                              ; preds = %more, %23
;   %z = phi float [ %x, %23 ], [ %sum, %more ]
;   %last = phi float [ %y, %23 ], [ 1.000000e+00, %more ]
;   %zz = fadd float %z, %last
;   %o = getelementptr inbounds float, ptr %out, i64 %wide
;   store float %zz, ptr %o, align 4
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
