; Two words of four in one iteration of a loop, or one, and where it is one, a byte is stored between two loads of it: the test is of the last
; iterations, too. The byte in the last word, and behind it.
; loads: always
; launch: hull_several grid=1 block=1 args=u8[512]@64,same0@95,u32[1],8
; launch: hull_several grid=1 block=1 args=u8[512]@64,same0@96,u32[1],8
; launch: hull_several grid=1 block=1 args=u8[512]@64,same0@103,u32[1],10
; launch: hull_several grid=1 block=1 args=u8[512]@64,same0@104,u32[1],10
; launch: hull_several grid=1 block=1 args=u8[512]@64,same0@75,u32[1],3
; launch: hull_several grid=1 block=1 args=u8[512]@64,same0@64,u32[1],1
; launch: hull_several grid=1 block=1 args=u8[512]@64,same0@64,u32[1],0

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @hull_several(ptr addrspace(1) %x, ptr addrspace(1) %byte, ptr addrspace(1) %out, i32 %n) {
entry:
  %some = icmp slt i32 0, %n
  br i1 %some, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %one ], [ %fourth, %four ]
  %sum = phi i32 [ 7, %entry ], [ %added, %one ], [ %added4, %four ]
  %i1 = add i32 %i, 1
  %on1 = icmp slt i32 %i1, %n
  %i2 = add i32 %i1, 1
  %on2 = icmp slt i32 %i2, %n
  %i3 = add i32 %i2, 1
  %on3 = icmp slt i32 %i3, %n
  %both = and i1 %on1, %on2
  %all = and i1 %both, %on3
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %wide
  br i1 %all, label %four, label %one

one:
  %a = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  %low = trunc i32 %a to i8
  %changed = xor i8 %low, 85
  store i8 %changed, ptr addrspace(1) %byte
  %b = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @36
  %five = mul i32 %sum, 5
  %plus = add i32 %five, %b
  %added = add i32 %plus, %a
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

four:
  %p3 = getelementptr i32, ptr addrspace(1) %p, i64 3
  %a0 = load i32, ptr addrspace(1) %p ; memory: kept: nothing before has loaded or stored these bytes
  %a3 = load i32, ptr addrspace(1) %p3 ; memory: kept: nothing before has loaded or stored these bytes
  %mixed = add i32 %a0, %a3
  %five4 = mul i32 %sum, 5
  %added4 = add i32 %five4, %mixed
  %fourth = add i32 %i, 4
  %again4 = icmp slt i32 %fourth, %n
  br i1 %again4, label %loop, label %done

done:
  %result = phi i32 [ 7, %entry ], [ %added, %one ], [ %added4, %four ]
  store i32 %result, ptr addrspace(1) %out
  ret void
}
