; ptxasw: opt --profit always --wrapping halo
; In a loop behind a guard.
; launch: k7 grid=2 block=128 args=f32[1300]@1,f32[256],256,5
; launch: k7 grid=2 block=48 args=f32[300]@1,f32[96],71,4
; launch: k7 grid=2 block=16,8 args=f32[120]@1,f32[256],32,3
; launch: k7 grid=1 block=8,8,4 args=f32[40]@1,f32[256],7,5
; launch: k7 grid=2 block=33,3 args=f32[200]@1,f32[198],60,3
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @k7(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %2
  br i1 %10, label %11, label %49

11:                                               ; preds = %4
  %12 = icmp sgt i32 %3, 0
  br i1 %12, label %13, label %17

13:                                               ; preds = %11
  %14 = sext i32 %2 to i64
  %15 = sext i32 %9 to i64
  %16 = getelementptr float, ptr %0, i64 %15
  br label %31

17:                                               ; preds = %31, %11
  %18 = phi float [ 0.000000e+00, %11 ], [ %46, %31 ]
  %19 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %20 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %21 = mul i32 %5, %20
  %22 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %23 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %24 = add i32 %21, %22
  %25 = mul i32 %24, %19
  %26 = add i32 %25, %23
  %27 = mul i32 %26, %6
  %28 = add i32 %27, %8
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds float, ptr %1, i64 %29
  store float %18, ptr %30, align 4, !tbaa !5
  br label %49

31:                                               ; preds = %13, %31
  %32 = phi i32 [ 0, %13 ], [ %47, %31 ]
  %33 = phi float [ 0.000000e+00, %13 ], [ %46, %31 ]
  %34 = zext nneg i32 %32 to i64
  %35 = mul nsw i64 %34, %14
  %36 = getelementptr float, ptr %16, i64 %35
  %37 = fmul contract float %33, 7.500000e-01
  %38 = getelementptr inbounds i8, ptr %36, i64 -4
  %39 = load float, ptr %38, align 4, !tbaa !5
  %40 = getelementptr inbounds i8, ptr %36, i64 4
  %41 = load float, ptr %40, align 4, !tbaa !5
  %42 = fadd contract float %39, %41
  %43 = load float, ptr %36, align 4, !tbaa !5
  %44 = fmul contract float %43, 2.000000e+00
  %45 = fsub contract float %42, %44
  %46 = fadd contract float %37, %45
  %47 = add nuw nsw i32 %32, 1
  %48 = icmp eq i32 %47, %3
  br i1 %48, label %17, label %31, !llvm.loop !9

49:                                               ; preds = %4, %17
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @k7, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"clang version 19.1.7"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent mustprogress nofree norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
; define dso_local void @k7(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
;   call void asm sideeffect "// ptxasw 1: shuffle", ""() #3
;   %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %7 = mul i32 %5, %6
;   %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = add i32 %7, %8
;   %10 = icmp slt i32 %9, %2
;   %11 = call i32 @llvm.nvvm.activemask() #4
;   %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %13 = and i32 %12, 31
;   %14 = icmp eq i32 %13, 0
;   %15 = and i1 %10, %14
;   %16 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %11, i1 %15) #4
;   %17 = icmp eq i32 %16, -1
;   %18 = freeze i1 %17
;   br i1 %18, label %59, label %19, !ptxasw.fallback !5
;
; 19:                                               ; preds = %4
;   br i1 %10, label %20, label %58
;
; 20:                                               ; preds = %19
;   %21 = icmp sgt i32 %3, 0
;   br i1 %21, label %22, label %26
;
; 22:                                               ; preds = %20
;   %23 = sext i32 %2 to i64
;   %24 = sext i32 %9 to i64
;   %25 = getelementptr float, ptr %0, i64 %24
;   br label %40
;
; 26:                                               ; preds = %83, %59, %40, %20
;   %27 = phi float [ 0.000000e+00, %59 ], [ %107, %83 ], [ 0.000000e+00, %20 ], [ %55, %40 ]
;   %28 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %29 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %30 = mul i32 %5, %29
;   %31 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %32 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %33 = add i32 %30, %31
;   %34 = mul i32 %33, %28
;   %35 = add i32 %34, %32
;   %36 = mul i32 %35, %6
;   %37 = add i32 %36, %8
;   %38 = zext i32 %37 to i64
;   %39 = getelementptr inbounds float, ptr %1, i64 %38
;   store float %27, ptr %39, align 4, !tbaa !6
;   br label %58
;
; 40:                                               ; preds = %40, %22
;   %41 = phi float [ 0.000000e+00, %22 ], [ %55, %40 ]
;   %42 = phi i32 [ 0, %22 ], [ %56, %40 ]
;   %43 = zext nneg i32 %42 to i64
;   %44 = mul nsw i64 %43, %23
;   %45 = getelementptr float, ptr %25, i64 %44
;   %46 = fmul contract float %41, 7.500000e-01
;   %47 = getelementptr inbounds i8, ptr %45, i64 -4
;   %48 = load float, ptr %47, align 4, !tbaa !6
;   %49 = getelementptr inbounds i8, ptr %45, i64 4
;   %50 = load float, ptr %49, align 4, !tbaa !6
;   %51 = fadd contract float %48, %50
;   %52 = load float, ptr %45, align 4, !tbaa !6
;   %53 = fmul contract float %52, 2.000000e+00
;   %54 = fsub contract float %51, %53
;   %55 = fadd contract float %46, %54
;   %56 = add nuw nsw i32 %42, 1
;   %57 = icmp eq i32 %56, %3
;   br i1 %57, label %26, label %40, !llvm.loop !10
;
; 58:                                               ; preds = %26, %19
;   ret void
;
; 59:                                               ; preds = %4
;   %60 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
;   %61 = shl i32 -2, %60
;   %62 = icmp ult i32 %60, 32
;   %63 = select i1 %62, i32 %61, i32 0
;   %64 = icmp sgt i32 %3, 0
;   br i1 %64, label %65, label %26
;
; 65:                                               ; preds = %59
;   %66 = sext i32 %2 to i64
;   %67 = sext i32 %9 to i64
;   %68 = getelementptr float, ptr %0, i64 %67
;   br label %69
;
; 69:                                               ; preds = %83, %65
;   %70 = phi float [ 0.000000e+00, %65 ], [ %107, %83 ]
;   %71 = phi i32 [ 0, %65 ], [ %108, %83 ]
;   %72 = zext nneg i32 %71 to i64
;   %73 = mul nsw i64 %72, %66
;   %74 = getelementptr float, ptr %68, i64 %73
;   %75 = getelementptr inbounds i8, ptr %74, i64 -4
;   %76 = load float, ptr %75, align 4, !tbaa !6
;   %77 = icmp ult i32 %60, 2
;   %78 = freeze i1 %77
;   br i1 %78, label %79, label %83
;
; 79:                                               ; preds = %69
;   %80 = addrspacecast ptr %75 to ptr addrspace(1)
;   %81 = getelementptr i8, ptr addrspace(1) %80, i64 128
;   %82 = load i32, ptr addrspace(1) %81, align 4, !invariant.load !5
;   br label %83
;
; 83:                                               ; preds = %79, %69
;   %84 = phi i32 [ %82, %79 ], [ poison, %69 ]
;   %85 = fmul contract float %70, 7.500000e-01
;   %86 = and i32 %63, 4
;   %87 = icmp eq i32 %86, 0
;   %88 = xor i1 %87, true
;   %89 = bitcast float %76 to i32
;   %90 = select i1 %88, i32 %84, i32 %89
;   %91 = add i32 %60, 2
;   %92 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %90, i32 %91, i32 31) #4
;   %93 = extractvalue { i32, i1 } %92, 0
;   %94 = bitcast i32 %93 to float
;   %95 = fadd contract float %76, %94
;   %96 = and i32 %63, 2
;   %97 = icmp eq i32 %96, 0
;   %98 = xor i1 %97, true
;   %99 = bitcast float %76 to i32
;   %100 = select i1 %98, i32 %84, i32 %99
;   %101 = add i32 %60, 1
;   %102 = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %100, i32 %101, i32 31) #4
;   %103 = extractvalue { i32, i1 } %102, 0
;   %104 = bitcast i32 %103 to float
;   %105 = fmul contract float %104, 2.000000e+00
;   %106 = fsub contract float %95, %105
;   %107 = fadd contract float %85, %106
;   %108 = add nuw nsw i32 %71, 1
;   %109 = icmp eq i32 %108, %3
;   br i1 %109, label %26, label %69, !llvm.loop !13
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
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1
;
; ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
; declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1
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
; declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent mustprogress nofree norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "ptxasw"="1: shuffle" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; attributes #4 = { nounwind willreturn }
;
; !nvvm.annotations = !{!0}
; !llvm.module.flags = !{!1, !2, !3}
; !llvm.ident = !{!4}
;
; !0 = !{ptr @k7, !"kernel", i32 1}
; !1 = !{i32 1, !"wchar_size", i32 4}
; !2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
; !3 = !{i32 7, !"frame-pointer", i32 2}
; !4 = !{!"clang version 19.1.7"}
; !5 = !{}
; !6 = !{!7, !7, i64 0}
; !7 = !{!"float", !8, i64 0}
; !8 = !{!"omnipotent char", !9, i64 0}
; !9 = !{!"Simple C++ TBAA"}
; !10 = distinct !{!10, !11, !12}
; !11 = !{!"llvm.loop.mustprogress"}
; !12 = !{!"llvm.loop.unroll.disable"}
; !13 = distinct !{!13, !11, !12}
