; A byte is stored between two loads of each word of a loop, whose step and bounds are known when the kernel runs: what the loop may touch is
; tested in front of it. The byte in the last word, behind it, in the first; a step of -1; a step of INT_MAX, which wraps.
; loads: always
; launch: hull grid=1 block=1 args=u8[512]@64,same0@87,u32[8]:ramp@6,0,6,1
; launch: hull grid=1 block=1 args=u8[512]@64,same0@88,u32[8]:ramp@6,0,6,1
; launch: hull grid=1 block=1 args=u8[512]@64,same0@64,u32[8]:ramp@6,0,6,1
; launch: hull grid=1 block=1 args=u8[512]@64,same0@76,u32[8]:ramp@6,5,20,-1
; launch: hull grid=1 block=1 args=u8[512]@64,same0@64,u32[8]:ramp@6,1,3,2147483647

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @hull(ptr addrspace(1) %x, ptr addrspace(1) %byte, ptr addrspace(1) %out, i32 %first, i32 %n, i32 %step) {
entry:
  %some = icmp slt i32 %first, %n
  br i1 %some, label %loop, label %done

loop:
  %i = phi i32 [ %first, %entry ], [ %next, %more ]
  %trip = phi i32 [ 1, %entry ], [ %trips, %more ]
  %sum = phi i32 [ 7, %entry ], [ %added, %more ]
  %offset = shl i32 %i, 2
  %wide = sext i32 %offset to i64
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %wide
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  %shifted = lshr i32 %a, 3
  %low = trunc i32 %shifted to i8
  store i8 %low, ptr addrspace(1) %byte
  %b = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @25
  %five = mul i32 %sum, 5
  %plus = add i32 %five, %b
  %added = add i32 %plus, %a
  %limit = load i32, ptr addrspace(1) %out ; memory: moved up over 1 store
  %enough = icmp uge i32 %trip, %limit
  br i1 %enough, label %done, label %more

more:
  %trips = add i32 %trip, 1
  %next = add i32 %i, %step
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

done:
  %result = phi i32 [ 7, %entry ], [ %added, %loop ], [ %added, %more ]
  store i32 %result, ptr addrspace(1) %out
  ret void
}
