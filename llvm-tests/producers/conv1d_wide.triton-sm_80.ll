; differs: Triton's loads are inline assembly, which may do anything in IR
; launch: grid=2 block=128 args=f32[912],f32[5],f32[912]:zero,912,u8[1],u8[1]

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: nounwind
define ptx_kernel void @conv1d(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, ptr addrspace(1) nofree readnone nocapture %4, ptr addrspace(1) nofree readnone nocapture %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = shl i32 %7, 9
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = shl nuw nsw i32 %9, 2
  %11 = and i32 %10, 508
  %12 = or disjoint i32 %11, %8
  %13 = or disjoint i32 %12, 2
  %14 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %1) #2
  %15 = bitcast i32 %14 to float
  %16 = icmp slt i32 %12, %3
  %17 = sext i32 %12 to i64
  %18 = getelementptr [4 x i8], ptr addrspace(1) %0, i64 %17
  %19 = sext i32 %13 to i64
  %20 = getelementptr [4 x i8], ptr addrspace(1) %0, i64 %19
  %21 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.u32 $0, $4;\0A\09mov.u32 $1, $5;\0A\09mov.u32 $2, $6;\0A\09mov.u32 $3, $7;\0A\09@$9 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $8 + 0 ];", "=r,=r,=r,=r,r,r,r,r,l,b"(i32 0, i32 0, i32 0, i32 0, ptr addrspace(1) %18, i1 %16) #2
  %22 = extractvalue { i32, i32, i32, i32 } %21, 0
  %23 = extractvalue { i32, i32, i32, i32 } %21, 1
  %24 = extractvalue { i32, i32, i32, i32 } %21, 2
  %25 = extractvalue { i32, i32, i32, i32 } %21, 3
  %26 = bitcast i32 %22 to float
  %27 = bitcast i32 %23 to float
  %28 = bitcast i32 %24 to float
  %29 = bitcast i32 %25 to float
  %30 = fmul float %15, %26
  %31 = fmul float %15, %27
  %32 = fmul float %15, %28
  %33 = fmul float %15, %29
  %34 = fadd float %30, 0.000000e+00
  %35 = fadd float %31, 0.000000e+00
  %36 = fadd float %32, 0.000000e+00
  %37 = fadd float %33, 0.000000e+00
  %38 = getelementptr i8, ptr addrspace(1) %1, i64 4
  %39 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %38) #2
  %40 = bitcast i32 %39 to float
  %41 = or disjoint i32 %12, 1
  %42 = or disjoint i32 %12, 3
  %43 = add i32 %12, 4
  %44 = icmp slt i32 %41, %3
  %45 = icmp slt i32 %13, %3
  %46 = icmp slt i32 %42, %3
  %47 = icmp slt i32 %43, %3
  %48 = getelementptr i8, ptr addrspace(1) %18, i64 4
  %49 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %48, i1 %44) #2
  %50 = bitcast i32 %49 to float
  %51 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 4 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %48, i1 %45) #2
  %52 = bitcast i32 %51 to float
  %53 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 8 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %48, i1 %46) #2
  %54 = bitcast i32 %53 to float
  %55 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 12 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %48, i1 %47) #2
  %56 = bitcast i32 %55 to float
  %57 = fmul float %40, %50
  %58 = fmul float %40, %52
  %59 = fmul float %40, %54
  %60 = fmul float %40, %56
  %61 = fadd float %34, %57
  %62 = fadd float %35, %58
  %63 = fadd float %36, %59
  %64 = fadd float %37, %60
  %65 = getelementptr i8, ptr addrspace(1) %1, i64 8
  %66 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %65) #2
  %67 = bitcast i32 %66 to float
  %68 = getelementptr i8, ptr addrspace(1) %18, i64 8
  %69 = getelementptr i8, ptr addrspace(1) %20, i64 8
  %70 = tail call { i32, i32 } asm sideeffect "mov.u32 $0, $2;\0A\09mov.u32 $1, $3;\0A\09@$5 ld.global.v2.b32 { $0, $1 }, [ $4 + 0 ];", "=r,=r,r,r,l,b"(i32 0, i32 0, ptr addrspace(1) %68, i1 %45) #2
  %71 = extractvalue { i32, i32 } %70, 0
  %72 = extractvalue { i32, i32 } %70, 1
  %73 = bitcast i32 %71 to float
  %74 = bitcast i32 %72 to float
  %75 = tail call { i32, i32 } asm sideeffect "mov.u32 $0, $2;\0A\09mov.u32 $1, $3;\0A\09@$5 ld.global.v2.b32 { $0, $1 }, [ $4 + 0 ];", "=r,=r,r,r,l,b"(i32 0, i32 0, ptr addrspace(1) %69, i1 %47) #2
  %76 = extractvalue { i32, i32 } %75, 0
  %77 = extractvalue { i32, i32 } %75, 1
  %78 = bitcast i32 %76 to float
  %79 = bitcast i32 %77 to float
  %80 = fmul float %67, %73
  %81 = fmul float %67, %74
  %82 = fmul float %67, %78
  %83 = fmul float %67, %79
  %84 = fadd float %61, %80
  %85 = fadd float %62, %81
  %86 = fadd float %63, %82
  %87 = fadd float %64, %83
  %88 = getelementptr i8, ptr addrspace(1) %1, i64 12
  %89 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %88) #2
  %90 = bitcast i32 %89 to float
  %91 = add i32 %12, 5
  %92 = add i32 %12, 6
  %93 = icmp slt i32 %91, %3
  %94 = icmp slt i32 %92, %3
  %95 = getelementptr i8, ptr addrspace(1) %18, i64 12
  %96 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 0 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %95, i1 %46) #2
  %97 = bitcast i32 %96 to float
  %98 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 4 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %95, i1 %47) #2
  %99 = bitcast i32 %98 to float
  %100 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 8 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %95, i1 %93) #2
  %101 = bitcast i32 %100 to float
  %102 = tail call i32 asm sideeffect "mov.u32 $0, $1;\0A\09@$3 ld.global.b32 { $0 }, [ $2 + 12 ];", "=r,r,l,b"(i32 0, ptr addrspace(1) %95, i1 %94) #2
  %103 = bitcast i32 %102 to float
  %104 = fmul float %90, %97
  %105 = fmul float %90, %99
  %106 = fmul float %90, %101
  %107 = fmul float %90, %103
  %108 = fadd float %84, %104
  %109 = fadd float %85, %105
  %110 = fadd float %86, %106
  %111 = fadd float %87, %107
  %112 = getelementptr i8, ptr addrspace(1) %1, i64 16
  %113 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %112) #2
  %114 = bitcast i32 %113 to float
  %115 = getelementptr i8, ptr addrspace(1) %18, i64 16
  %116 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.u32 $0, $4;\0A\09mov.u32 $1, $5;\0A\09mov.u32 $2, $6;\0A\09mov.u32 $3, $7;\0A\09@$9 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $8 + 0 ];", "=r,=r,=r,=r,r,r,r,r,l,b"(i32 0, i32 0, i32 0, i32 0, ptr addrspace(1) %115, i1 %47) #2
  %117 = extractvalue { i32, i32, i32, i32 } %116, 0
  %118 = extractvalue { i32, i32, i32, i32 } %116, 1
  %119 = extractvalue { i32, i32, i32, i32 } %116, 2
  %120 = extractvalue { i32, i32, i32, i32 } %116, 3
  %121 = bitcast i32 %117 to float
  %122 = bitcast i32 %118 to float
  %123 = bitcast i32 %119 to float
  %124 = bitcast i32 %120 to float
  %125 = fmul float %114, %121
  %126 = fmul float %114, %122
  %127 = fmul float %114, %123
  %128 = fmul float %114, %124
  %129 = fadd float %108, %125
  %130 = fadd float %109, %126
  %131 = fadd float %110, %127
  %132 = fadd float %111, %128
  %133 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %17
  %134 = bitcast float %129 to i32
  %135 = bitcast float %130 to i32
  %136 = bitcast float %131 to i32
  %137 = bitcast float %132 to i32
  tail call void asm sideeffect "@$5 st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l,b"(i32 %134, i32 %135, i32 %136, i32 %137, ptr addrspace(1) %133, i1 %16) #2
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
