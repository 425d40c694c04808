; ptxasw: opt --profit always --wrapping halo
; Nine points on both sides of the source: one more load serves all corner lanes, in a copy for whole warps of whole rows.
; launch: k1c grid=2 block=128 args=f32[280]@8,f32[256],200
; launch: k1c grid=2 block=128 args=f32[280]@8,f32[256],256
; launch: k1c grid=2 block=48 args=f32[120]@8,f32[96],71
; launch: k1c grid=2 block=16,8 args=f32[60]@8,f32[256],32
; launch: k1c grid=1 block=8,8,4 args=f32[60]@8,f32[256],7
; launch: k1c grid=2 block=33,3 args=f32[100]@8,f32[198],60
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @k1c(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %59

10:                                               ; preds = %3
  %11 = sext i32 %8 to i64
  %12 = getelementptr inbounds float, ptr %0, i64 %11
  %13 = load float, ptr %12, align 4, !tbaa !5
  %14 = fmul contract float %13, 5.000000e-01
  %15 = getelementptr i8, ptr %12, i64 -16
  %16 = load float, ptr %15, align 4, !tbaa !5
  %17 = fmul contract float %16, 6.250000e-01
  %18 = fadd contract float %14, %17
  %19 = getelementptr i8, ptr %12, i64 -12
  %20 = load float, ptr %19, align 4, !tbaa !5
  %21 = fmul contract float %20, 7.500000e-01
  %22 = fadd contract float %18, %21
  %23 = getelementptr i8, ptr %12, i64 -8
  %24 = load float, ptr %23, align 4, !tbaa !5
  %25 = fmul contract float %24, 8.750000e-01
  %26 = fadd contract float %22, %25
  %27 = getelementptr i8, ptr %12, i64 -4
  %28 = load float, ptr %27, align 4, !tbaa !5
  %29 = fmul contract float %28, 1.500000e+00
  %30 = fadd contract float %26, %29
  %31 = getelementptr i8, ptr %12, i64 4
  %32 = load float, ptr %31, align 4, !tbaa !5
  %33 = fmul contract float %32, 1.125000e+00
  %34 = fadd contract float %30, %33
  %35 = getelementptr i8, ptr %12, i64 8
  %36 = load float, ptr %35, align 4, !tbaa !5
  %37 = fmul contract float %36, 1.250000e+00
  %38 = fadd contract float %34, %37
  %39 = getelementptr i8, ptr %12, i64 12
  %40 = load float, ptr %39, align 4, !tbaa !5
  %41 = fmul contract float %40, 1.375000e+00
  %42 = fadd contract float %38, %41
  %43 = getelementptr i8, ptr %12, i64 16
  %44 = load float, ptr %43, align 4, !tbaa !5
  %45 = fmul contract float %44, 1.750000e+00
  %46 = fadd contract float %42, %45
  %47 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %48 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %49 = mul i32 %4, %48
  %50 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %51 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %52 = add i32 %49, %50
  %53 = mul i32 %52, %47
  %54 = add i32 %53, %51
  %55 = mul i32 %54, %5
  %56 = add i32 %55, %7
  %57 = zext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %1, i64 %57
  store float %46, ptr %58, align 4, !tbaa !5
  br label %59

59:                                               ; preds = %3, %10
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

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @k1c, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"clang version 19.1.7"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
; expect:
; target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
; target triple = "nvptx64-nvidia-cuda"
;
; ; Function Attrs: convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
; define dso_local void @k1c(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #0 {
;   %4 = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;   %5 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
;   %6 = mul i32 %4, %5
;   %7 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;   %8 = add i32 %6, %7
;   %9 = icmp slt i32 %8, %2
;   %10 = call i32 @llvm.nvvm.activemask() #3
;   %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3
;   %12 = and i32 %11, 31
;   %13 = icmp eq i32 %12, 0
;   %14 = and i1 %9, %13
;   %15 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %10, i1 %14) #3
;   %16 = icmp eq i32 %15, -1
;   br i1 %16, label %17, label %22
;
; 17:                                               ; preds = %3
;   %18 = call i32 @llvm.nvvm.read.ptx.sreg.laneid() #3
;   %19 = shl i32 -2, %18
;   %20 = sub i32 31, %18
;   %21 = shl i32 -2, %20
;   br label %23
;
; 22:                                               ; preds = %3
;   br i1 %9, label %126, label %175
;
; 23:                                               ; preds = %17
;   %24 = sext i32 %8 to i64
;   %25 = getelementptr inbounds float, ptr %0, i64 %24
;   %26 = load float, ptr %25, align 4, !tbaa !5
;   %27 = bitcast float %26 to i32
;   %28 = add i32 %18, 4
;   %29 = and i32 %28, 31
;   %30 = icmp ult i32 %29, 8
;   %31 = icmp ult i32 %18, 4
;   %32 = select i1 %31, i64 128, i64 -128
;   %33 = xor i1 %30, true
;   %34 = getelementptr i8, ptr %25, i64 %32
;   %35 = xor i1 %33, true
;   br i1 %35, label %36, label %38
;
; 36:                                               ; preds = %23
;   %37 = load float, ptr %34, align 4, !tbaa !5
;   br label %38
;
; 38:                                               ; preds = %23, %36
;   %39 = phi float [ poison, %23 ], [ %37, %36 ]
;   %40 = bitcast float %39 to i32
;   %41 = getelementptr i8, ptr %25, i64 -16
;   %42 = and i32 %21, 16
;   %43 = icmp ne i32 %42, 0
;   %44 = select i1 %43, i32 %40, i32 %27
;   %45 = add i32 %18, -4
;   %46 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %44, i32 %45, i32 31) #3
;   %47 = bitcast i32 %46 to float
;   %48 = getelementptr i8, ptr %25, i64 -12
;   %49 = and i32 %21, 8
;   %50 = icmp ne i32 %49, 0
;   %51 = select i1 %50, i32 %40, i32 %27
;   %52 = add i32 %18, -3
;   %53 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %51, i32 %52, i32 31) #3
;   %54 = bitcast i32 %53 to float
;   %55 = getelementptr i8, ptr %25, i64 -8
;   %56 = and i32 %21, 4
;   %57 = icmp ne i32 %56, 0
;   %58 = select i1 %57, i32 %40, i32 %27
;   %59 = add i32 %18, -2
;   %60 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %58, i32 %59, i32 31) #3
;   %61 = bitcast i32 %60 to float
;   %62 = getelementptr i8, ptr %25, i64 -4
;   %63 = and i32 %21, 2
;   %64 = icmp ne i32 %63, 0
;   %65 = select i1 %64, i32 %40, i32 %27
;   %66 = add i32 %18, -1
;   %67 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %65, i32 %66, i32 31) #3
;   %68 = bitcast i32 %67 to float
;   %69 = getelementptr i8, ptr %25, i64 4
;   %70 = and i32 %19, 2
;   %71 = icmp ne i32 %70, 0
;   %72 = select i1 %71, i32 %40, i32 %27
;   %73 = add i32 %18, 1
;   %74 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %72, i32 %73, i32 31) #3
;   %75 = bitcast i32 %74 to float
;   %76 = getelementptr i8, ptr %25, i64 8
;   %77 = and i32 %19, 4
;   %78 = icmp ne i32 %77, 0
;   %79 = select i1 %78, i32 %40, i32 %27
;   %80 = add i32 %18, 2
;   %81 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %79, i32 %80, i32 31) #3
;   %82 = bitcast i32 %81 to float
;   %83 = getelementptr i8, ptr %25, i64 12
;   %84 = and i32 %19, 8
;   %85 = icmp ne i32 %84, 0
;   %86 = select i1 %85, i32 %40, i32 %27
;   %87 = add i32 %18, 3
;   %88 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %86, i32 %87, i32 31) #3
;   %89 = bitcast i32 %88 to float
;   %90 = getelementptr i8, ptr %25, i64 16
;   %91 = and i32 %19, 16
;   %92 = icmp ne i32 %91, 0
;   %93 = select i1 %92, i32 %40, i32 %27
;   %94 = add i32 %18, 4
;   %95 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %93, i32 %94, i32 31) #3
;   %96 = bitcast i32 %95 to float
;   %97 = fmul contract float %26, 5.000000e-01
;   %98 = fmul contract float %47, 6.250000e-01
;   %99 = fadd contract float %97, %98
;   %100 = fmul contract float %54, 7.500000e-01
;   %101 = fadd contract float %99, %100
;   %102 = fmul contract float %61, 8.750000e-01
;   %103 = fadd contract float %101, %102
;   %104 = fmul contract float %68, 1.500000e+00
;   %105 = fadd contract float %103, %104
;   %106 = fmul contract float %75, 1.125000e+00
;   %107 = fadd contract float %105, %106
;   %108 = fmul contract float %82, 1.250000e+00
;   %109 = fadd contract float %107, %108
;   %110 = fmul contract float %89, 1.375000e+00
;   %111 = fadd contract float %109, %110
;   %112 = fmul contract float %96, 1.750000e+00
;   %113 = fadd contract float %111, %112
;   %114 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %115 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %116 = mul i32 %4, %115
;   %117 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %118 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %119 = add i32 %116, %117
;   %120 = mul i32 %119, %114
;   %121 = add i32 %120, %118
;   %122 = mul i32 %121, %5
;   %123 = add i32 %122, %7
;   %124 = zext i32 %123 to i64
;   %125 = getelementptr inbounds float, ptr %1, i64 %124
;   store float %113, ptr %125, align 4, !tbaa !5
;   br label %175
;
; 126:                                              ; preds = %22
;   %127 = sext i32 %8 to i64
;   %128 = getelementptr inbounds float, ptr %0, i64 %127
;   %129 = load float, ptr %128, align 4, !tbaa !5
;   %130 = fmul contract float %129, 5.000000e-01
;   %131 = getelementptr i8, ptr %128, i64 -16
;   %132 = load float, ptr %131, align 4, !tbaa !5
;   %133 = fmul contract float %132, 6.250000e-01
;   %134 = fadd contract float %130, %133
;   %135 = getelementptr i8, ptr %128, i64 -12
;   %136 = load float, ptr %135, align 4, !tbaa !5
;   %137 = fmul contract float %136, 7.500000e-01
;   %138 = fadd contract float %134, %137
;   %139 = getelementptr i8, ptr %128, i64 -8
;   %140 = load float, ptr %139, align 4, !tbaa !5
;   %141 = fmul contract float %140, 8.750000e-01
;   %142 = fadd contract float %138, %141
;   %143 = getelementptr i8, ptr %128, i64 -4
;   %144 = load float, ptr %143, align 4, !tbaa !5
;   %145 = fmul contract float %144, 1.500000e+00
;   %146 = fadd contract float %142, %145
;   %147 = getelementptr i8, ptr %128, i64 4
;   %148 = load float, ptr %147, align 4, !tbaa !5
;   %149 = fmul contract float %148, 1.125000e+00
;   %150 = fadd contract float %146, %149
;   %151 = getelementptr i8, ptr %128, i64 8
;   %152 = load float, ptr %151, align 4, !tbaa !5
;   %153 = fmul contract float %152, 1.250000e+00
;   %154 = fadd contract float %150, %153
;   %155 = getelementptr i8, ptr %128, i64 12
;   %156 = load float, ptr %155, align 4, !tbaa !5
;   %157 = fmul contract float %156, 1.375000e+00
;   %158 = fadd contract float %154, %157
;   %159 = getelementptr i8, ptr %128, i64 16
;   %160 = load float, ptr %159, align 4, !tbaa !5
;   %161 = fmul contract float %160, 1.750000e+00
;   %162 = fadd contract float %158, %161
;   %163 = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
;   %164 = tail call noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
;   %165 = mul i32 %4, %164
;   %166 = tail call noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
;   %167 = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
;   %168 = add i32 %165, %166
;   %169 = mul i32 %168, %163
;   %170 = add i32 %169, %167
;   %171 = mul i32 %170, %5
;   %172 = add i32 %171, %7
;   %173 = zext i32 %172 to i64
;   %174 = getelementptr inbounds float, ptr %1, i64 %173
;   store float %162, ptr %174, align 4, !tbaa !5
;   br label %175
;
; 175:                                              ; preds = %38, %126, %22
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
; attributes #0 = { convergent mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx85,+sm_80" "uniform-work-group-size"="true" }
; attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
; attributes #3 = { nounwind willreturn }
;
; !nvvm.annotations = !{!0}
; !llvm.module.flags = !{!1, !2, !3}
; !llvm.ident = !{!4}
;
; !0 = !{ptr @k1c, !"kernel", i32 1}
; !1 = !{i32 1, !"wchar_size", i32 4}
; !2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
; !3 = !{i32 7, !"frame-pointer", i32 2}
; !4 = !{!"clang version 19.1.7"}
; !5 = !{!6, !6, i64 0}
; !6 = !{!"float", !7, i64 0}
; !7 = !{!"omnipotent char", !8, i64 0}
; !8 = !{!"Simple C++ TBAA"}
