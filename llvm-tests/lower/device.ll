; Parameters of a device function differ from thread to thread; calls may do what attributes do not rule out.
; ptxasw: dump

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @f(i32 %x, { ptr, float } %s, ptr %g) {
  call void @h(i32 %x)
  call void %g(i32 %x)
  %a = call i32 @pure(i32 %x)
  %b = call i32 @reads(ptr %g)
  ret void
}
declare void @h(i32)
declare i32 @pure(i32) #0
declare i32 @reads(ptr) #1
attributes #0 = { nosync nounwind willreturn memory(none) }
attributes #1 = { nosync nounwind willreturn memory(read) }
; expect:
; function f() {
;     callers may write
; block0:
;     v0: b32 = opaque ; 0
;     v1: b64 = opaque ; 0
;     v2: b32 = opaque ; 0
;     v3: b64 = opaque ; 0
;     call.writes.waits.exits.polls.reads h v0 ; 1
;     call.indirect.writes.waits.exits.polls.reads v0 ; 2
;     v4: b32 = call pure v0 ; 3
;     v5: b32 = call.polls.reads reads v3 ; 4
;     return ; 5
; }
