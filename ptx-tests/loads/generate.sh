#!/usr/bin/env bash
# Regenerates openacc/*.gcc.ptx and openmp/*.clang.ptx from their src by GCC's and clang's offloading. `make kernels` calls it.
#
# usage: generate.sh [NAME...]      all sources, or those with these base names
#
# A source's leading comment lines `// ptxasw:` and `// launch:` are copied to the head of its PTX. GCC hands over one
# pointer, to the addresses of arrays and of scalars: `&{f64[100],i32[1]:value=100}`, the last scalar first; clang an
# environment, then what the loops' bounds and bodies name, each in its own parameter. Expectations at the end of a file
# are kept; `make bless` renews them, and finds an empty block where a new file says `// ptxasw: remarks`.
set -euo pipefail
cd "$(dirname "$0")"

GCC=${GCC:-gcc-12}
CLANG=${CLANG:-clang-19}
# The device code of clang's OpenMP library, linked in as bitcode (Debian's libomp-19-dev).
RUNTIME=${RUNTIME:-/usr/lib/llvm-19/lib/libomptarget-nvptx-sm_80.bc}
only=" $* "
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

missing() { echo "generate.sh: $1 is missing; its files stay as they are" >&2; }

wanted() { [[ $only == "  " || $only == *" $1 "* ]]; }

install_ptx() { # SOURCE MADE DESTINATION
  local expected=
  if [[ -e $3 ]]; then
    expected=$(sed -n '/^\/\/ expect:$/,$p' "$3")
  elif grep -q '^// ptxasw: remarks' "$1"; then
    expected="// expect:"
  fi
  { sed -n -e '\,^//,!q' -e '\,^// \(ptxasw\|launch\):,p' "$1"
    cat "$2"
    [[ -z $expected ]] || echo "$expected"
  } > "$work/installed"
  mv "$work/installed" "$3"
  echo "ptx-tests/loads/$3"
}

by_gcc() {
  local source
  "$GCC" -v 2>&1 | grep -q 'OFFLOAD_TARGET_NAMES=.*nvptx' && [[ -d $("$GCC" -print-file-name=accel/nvptx-none) ]] || {
    missing "GCC's offloading compiler (gcc-12-offload-nvptx)"
    return
  }
  for source in openacc/src/*_acc.c; do
    wanted "$(basename "$source" .c)" || continue
    # What the linker of the target gets first is the module of the source, then libraries.
    (cd "$work" && rm -f ./* &&
      "$GCC" -O2 -fopenacc -foffload=nvptx-none -foffload-options="-save-temps -misa=sm_80 -mptx=7.0" -save-temps -shared -fPIC \
        "$top/$source" -o x.so 2> /dev/null && sed -z '1!d' ./*.mkoffload | tr -d '\0' > made.ptx)
    install_ptx "$source" "$work/made.ptx" "openacc/$(basename "$source" _acc.c).gcc.ptx"
  done
}

# clang names a kernel after the source's device and inode.
by_clang() {
  local source
  [[ -e $RUNTIME ]] && command -v "$CLANG" > /dev/null || { missing "clang-19 with libomp-19-dev"; return; }
  for source in openmp/src/*_omp.c; do
    wanted "$(basename "$source" .c)" || continue
    (cd openmp/src && "$CLANG" -O3 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_80 \
      -fopenmp-cuda-mode --offload-device-only -nogpulib -Xclang -mlink-builtin-bitcode -Xclang "$RUNTIME" \
      -S "$(basename "$source")" -o "$work/clang.ptx" 2> /dev/null)
    sed -E 's/__omp_offloading_[0-9a-f]+_[0-9a-f]+_/__omp_offloading_/g' "$work/clang.ptx" > "$work/made.ptx"
    install_ptx "$source" "$work/made.ptx" "openmp/$(basename "$source" _omp.c).clang.ptx"
  done
}

by_gcc
by_clang
