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
;   %5 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %6 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %7 = mul i32 %5, %6
;   %8 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %9 = add i32 %7, %8
;   %10 = icmp slt i32 %9, %2
;   %11 = call i32 @llvm.nvvm.activemask() #3
;   %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %13 = and i32 %12, 31
;   %14 = icmp eq i32 %13, 0
;   %15 = and i1 %10, %14
;   %16 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %11, i1 %15) #3
;   %17 = icmp eq i32 %16, -1
;   br i1 %17, label %18, label %21
;
; 18:                                               ; preds = %4
;   %19 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %20 = shl i32 -2, %19
;   br label %22
;
; 21:                                               ; preds = %4
;   br i1 %10, label %66, label %104
;
; 22:                                               ; preds = %18
;   %23 = icmp sgt i32 %3, 0
;   br i1 %23, label %24, label %72
;
; 24:                                               ; preds = %22
;   %25 = sext i32 %2 to i64
;   %26 = sext i32 %9 to i64
;   %27 = getelementptr float, ptr %0, i64 %26
;   br label %28
;
; 28:                                               ; preds = %43, %24
;   %29 = phi i32 [ 0, %24 ], [ %64, %43 ]
;   %30 = phi float [ 0.000000e+00, %24 ], [ %63, %43 ]
;   %31 = zext nneg i32 %29 to i64
;   %32 = mul nsw i64 %31, %25
;   %33 = getelementptr float, ptr %27, i64 %32
;   %34 = getelementptr inbounds i8, ptr %33, i64 -4
;   %35 = load float, ptr %34, align 4, !tbaa !5
;   %36 = bitcast float %35 to i32
;   %37 = icmp ult i32 %19, 2
;   %38 = xor i1 %37, true
;   %39 = getelementptr i8, ptr %34, i64 128
;   %40 = xor i1 %38, true
;   br i1 %40, label %41, label %43
;
; 41:                                               ; preds = %28
;   %42 = load float, ptr %39, align 4, !tbaa !5
;   br label %43
;
; 43:                                               ; preds = %28, %41
;   %44 = phi float [ poison, %28 ], [ %42, %41 ]
;   %45 = bitcast float %44 to i32
;   %46 = getelementptr inbounds i8, ptr %33, i64 4
;   %47 = and i32 %20, 4
;   %48 = icmp ne i32 %47, 0
;   %49 = select i1 %48, i32 %45, i32 %36
;   %50 = add i32 %19, 2
;   %51 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %49, i32 %50, i32 31) #3
;   %52 = bitcast i32 %51 to float
;   %53 = and i32 %20, 2
;   %54 = icmp ne i32 %53, 0
;   %55 = select i1 %54, i32 %45, i32 %36
;   %56 = add i32 %19, 1
;   %57 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %55, i32 %56, i32 31) #3
;   %58 = bitcast i32 %57 to float
;   %59 = fmul contract float %30, 7.500000e-01
;   %60 = fadd contract float %35, %52
;   %61 = fmul contract float %58, 2.000000e+00
;   %62 = fsub contract float %60, %61
;   %63 = fadd contract float %59, %62
;   %64 = add nuw nsw i32 %29, 1
;   %65 = icmp eq i32 %64, %3
;   br i1 %65, label %72, label %28, !llvm.loop !9
;
; 66:                                               ; preds = %21
;   %67 = icmp sgt i32 %3, 0
;   br i1 %67, label %68, label %72
;
; 68:                                               ; preds = %66
;   %69 = sext i32 %2 to i64
;   %70 = sext i32 %9 to i64
;   %71 = getelementptr float, ptr %0, i64 %70
;   br label %86
;
; 72:                                               ; preds = %43, %22, %86, %66
;   %73 = phi float [ 0.000000e+00, %66 ], [ %101, %86 ], [ 0.000000e+00, %22 ], [ %63, %43 ]
;   %74 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %75 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %76 = mul i32 %5, %75
;   %77 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %78 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %79 = add i32 %76, %77
;   %80 = mul i32 %79, %74
;   %81 = add i32 %80, %78
;   %82 = mul i32 %81, %6
;   %83 = add i32 %82, %8
;   %84 = zext i32 %83 to i64
;   %85 = getelementptr inbounds float, ptr %1, i64 %84
;   store float %73, ptr %85, align 4, !tbaa !5
;   br label %104
;
; 86:                                               ; preds = %86, %68
;   %87 = phi i32 [ 0, %68 ], [ %102, %86 ]
;   %88 = phi float [ 0.000000e+00, %68 ], [ %101, %86 ]
;   %89 = zext nneg i32 %87 to i64
;   %90 = mul nsw i64 %89, %69
;   %91 = getelementptr float, ptr %71, i64 %90
;   %92 = fmul contract float %88, 7.500000e-01
;   %93 = getelementptr inbounds i8, ptr %91, i64 -4
;   %94 = load float, ptr %93, align 4, !tbaa !5
;   %95 = getelementptr inbounds i8, ptr %91, i64 4
;   %96 = load float, ptr %95, align 4, !tbaa !5
;   %97 = fadd contract float %94, %96
;   %98 = load float, ptr %91, align 4, !tbaa !5
;   %99 = fmul contract float %98, 2.000000e+00
;   %100 = fsub contract float %97, %99
;   %101 = fadd contract float %92, %100
;   %102 = add nuw nsw i32 %87, 1
;   %103 = icmp eq i32 %102, %3
;   br i1 %103, label %72, label %86, !llvm.loop !12
;
; 104:                                              ; preds = %72, %21
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
; declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #2
;
; attributes #0 = { convergent mustprogress nofree norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
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
; !5 = !{!6, !6, i64 0}
; !6 = !{!"float", !7, i64 0}
; !7 = !{!"omnipotent char", !8, i64 0}
; !8 = !{!"Simple C++ TBAA"}
; !9 = distinct !{!9, !10, !11}
; !10 = !{!"llvm.loop.mustprogress"}
; !11 = !{!"llvm.loop.unroll.disable"}
; !12 = distinct !{!12, !10, !11}
