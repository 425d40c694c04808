; Remarks name the source lines that debug information has.
; ptxasw: explain --full

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %in) !dbg !5 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !7
  %i = zext i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %a = load float, ptr %p, align 4, !dbg !8
  %q = getelementptr inbounds float, ptr %p, i64 1
  %b = load float, ptr %q, align 4, !dbg !9
  %s = fadd float %a, %b
  %r = getelementptr inbounds float, ptr %out, i64 %i
  store float %s, ptr %r, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "row.cu", directory: "/tmp")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !3)
!3 = !{}
!7 = !DILocation(line: 2, column: 11, scope: !5)
!8 = !DILocation(line: 3, column: 13, scope: !5)
!9 = !DILocation(line: 4, column: 15, scope: !5)
; expect:
; k (row.cu:1): changed; 1 of 2 loads shuffled
;   k: no estimate: the module has no `target-cpu`: pass `--arch sm_80`
;
; kernel  loads  stores  shuffled  kept
; k           2       1         1     2
;
; kernel `k`
;   1 shuffled, scheme F, mask and clamp at line 10
;       line 12 from 10 (lane i+1)
;       source row.cu:4
;   1 kept, shuffle: other loads take its value
;       line 10
;       source row.cu:3
;   1 kept: no pass found anything to do with it
;       line 15
;
; note: kept (C1-no-source): no earlier load reads these bytes in a lane at most 31 away
;   --> <stdin>:10:3
;    |
; 10 |   %a = load float, ptr %p, align 4, !dbg !7
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ source of others
;    |
;    = note: source: row.cu:3:13
;
; note: covered: lane i takes what lane i+1 loaded, scheme F
;   --> <stdin>:12:3
;    |
; 10 |   %a = load float, ptr %p, align 4, !dbg !7
;    |   ----------------------------------------- source
; 11 |   %q = getelementptr inbounds float, ptr %p, i64 1
; 12 |   %b = load float, ptr %q, align 4, !dbg !8
;    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ becomes a shuffle
;    |
;    = note: source: row.cu:4:15
;    = note: C1: affine normal form
;    = note: C2: the source dominates the destination in the same iteration
;    = note: C3: nothing that writes or orders memory lies between
;    = note: C4: `activemask`, read at a point from which all its lanes arrive here together
;    = note: C5: the clamp of the shuffle holds the row's ends
;    = note: C6: the source has no guard of its own and loads all its bytes
;
; assumed: the kernel is free of data races, as CUDA C++ demands
