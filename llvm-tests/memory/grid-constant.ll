; A struct that is a grid constant: the thread has no copy of it, also where its address is stored. What is loaded through the address
; is parameter memory, never local memory.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.P = type { ptr, ptr, i32, [5 x i32] }

define void @grid_constant(ptr byval(%struct.P) align 8 "nvvm.grid_constant" %s, ptr addrspace(1) %out, ptr addrspace(1) %where, i32 %i) #0 {
entry:
  %place = alloca ptr, align 8
  store ptr %s, ptr addrspace(1) %where
  store ptr %s, ptr %place
  %q = load ptr, ptr %place ; memory: forwarded from the store @13
  %n = ptrtoint ptr %q to i64
  %n16 = add i64 %n, 16
  %p = inttoptr i64 %n16 to ptr
  %v = load i32, ptr %p ; memory: kept: nothing before has loaded or stored these bytes
  %w = getelementptr %struct.P, ptr %q, i64 0, i32 3, i32 %i
  %x = load i32, ptr %w
  %y = add i32 %v, %x
  store i32 %y, ptr addrspace(1) %out
  ret void
}

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx78" }

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @grid_constant, !"kernel", i32 1}
!1 = !{ptr @grid_constant, !"grid_constant", !2}
!2 = !{i32 1}
