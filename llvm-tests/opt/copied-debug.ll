; What is said of variables is said of the copy's values in the copy, and of none where both may have come.
; ptxasw: opt
; launch: row grid=3 block=128 args=f32[520]:zero,f32[520],300
; launch: row grid=3 block=48 args=f32[520]:zero,f32[520],140
; launch: row grid=3 block=64,2 args=f32[520]:zero,f32[520],190

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) !dbg !5 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !9
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !9
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !9
  %base = mul i32 %ctaid, %ntid, !dbg !9
  %i = add i32 %base, %tid, !dbg !9
    #dbg_value(i32 %i, !11, !DIExpression(), !9)
  %wide = sext i32 %i to i64, !dbg !9
  %p = getelementptr inbounds float, ptr %in, i64 %wide, !dbg !9
  br label %loop, !dbg !9

loop:
  %k = phi i32 [ %i, %entry ], [ %next, %loop ], !dbg !9
    #dbg_value(i32 %k, !11, !DIExpression(), !9)
  %w = sext i32 %k to i64, !dbg !10
  %at = getelementptr inbounds float, ptr %in, i64 %w, !dbg !10
  %x = load float, ptr %at, align 4, !dbg !10
    #dbg_value(float %x, !12, !DIExpression(), !10)
  %behind = getelementptr inbounds i8, ptr %at, i64 4, !dbg !10
  %y = load float, ptr %behind, align 4, !dbg !10
  %z = fadd float %x, %y, !dbg !10
  %o = getelementptr inbounds float, ptr %out, i64 %w, !dbg !10
  store float %z, ptr %o, align 4, !dbg !10
  %next = add nsw i32 %k, 400, !dbg !10
  %again = icmp slt i32 %next, %n, !dbg !10
  br i1 %again, label %loop, label %exit, !dbg !10, !llvm.loop !13

exit:
    #dbg_value(i32 %next, !11, !DIExpression(), !9)
  ret void, !dbg !9
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "row.cu", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "row", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!9 = !DILocation(line: 2, column: 3, scope: !5)
!10 = !DILocation(line: 3, column: 5, scope: !5)
!11 = !DILocalVariable(name: "k", scope: !5, file: !1, line: 2, type: !6)
!12 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 3, type: !7)
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.unroll.disable"}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent
; define ptx_kernel void @row(ptr noalias %out, ptr noalias readonly %in, i32 %n) #0 !dbg !3 {
; entry:
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !6
;   %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !6
;   %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !6
;   %base = mul i32 %ctaid, %ntid, !dbg !6
;   %i = add i32 %base, %tid, !dbg !6
;     #dbg_value(i32 %i, !7, !DIExpression(), !6)
;   %wide = sext i32 %i to i64, !dbg !6
;   %p = getelementptr inbounds float, ptr %in, i64 %wide, !dbg !6
;   %0 = call i32 @llvm.nvvm.activemask() #4, !dbg !6
;   %1 = icmp eq i32 %0, -1, !dbg !6
;   %2 = freeze i1 %1, !dbg !6
;   br i1 %2, label %8, label %3, !dbg !6, !ptxasw.fallback !9
;
; 3:                                                ; preds = %entry
;   br label %loop, !dbg !6
;
; loop:                                             ; preds = %5, %3
;   %4 = phi i32 [ %7, %5 ], [ %i, %3 ]
;     #dbg_value(i32 %4, !7, !DIExpression(), !6)
;   %w = sext i32 %4 to i64, !dbg !10
;   %at = getelementptr inbounds float, ptr %in, i64 %w, !dbg !10
;   %x = load float, ptr %at, align 4, !dbg !10
;     #dbg_value(float %x, !11, !DIExpression(), !10)
;   %behind = getelementptr inbounds i8, ptr %at, i64 4, !dbg !10
;   %y = load float, ptr %behind, align 4, !dbg !10
;   %z = fadd float %x, %y, !dbg !10
;   %o = getelementptr inbounds float, ptr %out, i64 %w, !dbg !10
;   store float %z, ptr %o, align 4, !dbg !10
;   %next = add nsw i32 %4, 400, !dbg !10
;   %again = icmp slt i32 %next, %n, !dbg !10
;   br label %5, !dbg !10
;
; 5:                                                ; preds = %30, %loop
;   %6 = phi i1 [ %again11, %30 ], [ %again, %loop ]
;   %7 = phi i32 [ %next10, %30 ], [ %next, %loop ]
;   br i1 %6, label %loop, label %exit, !dbg !10, !llvm.loop !13
;
; exit:                                             ; preds = %5
;     #dbg_value(i32 %next, !7, !DIExpression(), !6)
;   ret void, !dbg !6
;
; 8:                                                ; preds = %entry
;   %9 = call i32 @llvm.nvvm.read.ptx.sreg.laneid(), !dbg !6
;   %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !6
;   %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !6
;   %12 = sub i32 %9, %10, !dbg !6
;   %13 = add i32 %12, %11, !dbg !6
;   %14 = add i32 %13, -1, !dbg !6
;   %15 = icmp slt i32 %14, 31, !dbg !6
;   %16 = select i1 %15, i32 %14, i32 31, !dbg !6
;   br label %loop1, !dbg !6
;
; loop1:                                            ; preds = %33, %8
;   %17 = phi i32 [ %i, %8 ], [ %next10, %33 ]
;     #dbg_value(i32 %17, !7, !DIExpression(), !6)
;   %w3 = sext i32 %17 to i64, !dbg !10
;   %at4 = getelementptr inbounds float, ptr %in, i64 %w3, !dbg !10
;   %x5 = load float, ptr %at4, align 4, !dbg !10
;     #dbg_value(float %x5, !11, !DIExpression(), !10)
;   %18 = add i32 %17, 2147483617, !dbg !10
;   %19 = icmp ult i32 -63, %18, !dbg !10
;   %20 = xor i1 %19, true, !dbg !10
;   %21 = select i1 %20, i32 %16, i32 %9, !dbg !10
;   %behind6 = getelementptr inbounds i8, ptr %at4, i64 4, !dbg !10
;   %22 = bitcast float %x5 to i32, !dbg !10
;   %23 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %22, i32 1, i32 %21) #4, !dbg !10
;   %24 = extractvalue { i32, i1 } %23, 0, !dbg !10
;   %25 = extractvalue { i32, i1 } %23, 1, !dbg !10
;   %26 = freeze i1 %25, !dbg !10
;   %27 = bitcast i32 %24 to float, !dbg !10
;   br i1 %26, label %30, label %28, !dbg !10
;
; 28:                                               ; preds = %loop1
;   %29 = load float, ptr %behind6, align 4, !dbg !10
;   br label %30, !dbg !10
;
; 30:                                               ; preds = %loop1, %28
;   %y7 = phi float [ %27, %loop1 ], [ %29, %28 ], !dbg !10
;   %z8 = fadd float %x5, %y7, !dbg !10
;   %o9 = getelementptr inbounds float, ptr %out, i64 %w3, !dbg !10
;   store float %z8, ptr %o9, align 4, !dbg !10
;   %next10 = add nsw i32 %17, 400, !dbg !10
;   %again11 = icmp slt i32 %next10, %n, !dbg !10
;   %31 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %again11) #4, !dbg !10
;   %32 = freeze i1 %31, !dbg !10
;   br i1 %32, label %33, label %5, !dbg !10
;
; 33:                                               ; preds = %30
;   br label %loop1, !dbg !10, !llvm.loop !15
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
; ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
; declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #2
;
; attributes #0 = { convergent "ptxasw"="1: shuffle" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
;
; !llvm.dbg.cu = !{!0}
; !llvm.module.flags = !{!2}
;
; !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: DebugDirectivesOnly)
; !1 = !DIFile(filename: "row.cu", directory: "/src")
; !2 = !{i32 2, !"Debug Info Version", i32 3}
; !3 = distinct !DISubprogram(name: "row", scope: !1, file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0)
; !4 = !DISubroutineType(types: !5)
; !5 = !{null}
; !6 = !DILocation(line: 2, column: 3, scope: !3)
; !7 = !DILocalVariable(name: "k", scope: !3, file: !1, line: 2, type: !8)
; !8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
; !9 = !{}
; !10 = !DILocation(line: 3, column: 5, scope: !3)
; !11 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 3, type: !12)
; !12 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
; !13 = distinct !{!13, !14}
; !14 = !{!"llvm.loop.unroll.disable"}
; !15 = distinct !{!15, !14}
