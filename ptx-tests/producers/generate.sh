#!/usr/bin/env bash
# Regenerates the committed PTX and LLVM IR of compilers other than nvcc and
# clang's CUDA from the sources in src/. `make kernels` calls it.
#
# usage: generate.sh [PATTERN]     all files, or those whose names fit
#
# GCC and its offloading compiler, clang-19 and its OpenMP device runtime come
# from the distribution; the Python packages go into target/producers. What
# is missing is named, and its files stay as they are. Launches stand in
# src/launches.txt; expectations at the end of a file are kept.
set -euo pipefail
cd "$(dirname "$0")"

pattern=${1:-*}
environment=${PTXASW_PRODUCERS:-../../target/producers}
GCC=${GCC:-gcc-12}
CLANG=${CLANG:-clang-19}
OPT=${OPT:-opt-19}
RUNTIME=/usr/lib/llvm-19/lib/libomptarget-nvptx-sm_80.bc
PACKAGES=(triton==3.9.0 halide==21.0.0 numba==0.68.1 numba-cuda==0.30.4 warp-lang==1.19.0
  "cuda-bindings==13.5.*" "nvidia-cuda-nvrtc==13.5.*" "nvidia-nvvm==13.5.*" "nvidia-cuda-runtime==13.5.*"
  "nvidia-cuda-cccl==13.*" "nvidia-cuda-nvcc==13.5.*")
src=$PWD/src
made=$(mktemp -d)
work=$(mktemp -d)
trap 'rm -rf "$made" "$work"' EXIT

missing() { echo "generate.sh: $1 is missing; its files stay as they are" >&2; }

# OpenACC and OpenMP by GCC: what the linker of the target gets first is the module of the source, then libraries.
by_gcc() { # NAME FLAG STYLE OPTIONS
  (cd "$work" && rm -f ./* &&
    "$GCC" -O2 "$2" -foffload=nvptx-none -foffload-options="-save-temps $4" -save-temps -shared -fPIC \
      "$src/$1.c" -o x.so 2> /dev/null &&
    sed -z '1!d' ./*.mkoffload | tr -d '\0' > "$made/${1%_*}.$3.ptx")
}

by_gcc_all() {
  "$GCC" -v 2>&1 | grep -q 'OFFLOAD_TARGET_NAMES=.*nvptx' && "$GCC" -print-prog-name=mkoffload > /dev/null &&
    [[ -d $("$GCC" -print-file-name=accel/nvptx-none) ]] || { missing "GCC's offloading compiler (gcc-12-offload-nvptx)"; return; }
  by_gcc jacobi_acc -fopenacc gcc-acc ""
  by_gcc jacobi_acc -fopenacc gcc-acc-sm_80 "-misa=sm_80 -mptx=7.0"
  by_gcc conv1d_acc -fopenacc gcc-acc-sm_80 "-misa=sm_80 -mptx=7.0"
  by_gcc jacobi_omp -fopenmp gcc-omp-sm_80 "-misa=sm_80 -mptx=7.0"
}

# clang names a kernel after the source's device and inode.
by_clang() { # NAME
  local kind
  for kind in ptx ll; do
    (cd "$src" && "$CLANG" -O3 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_80 \
      -fopenmp-cuda-mode --offload-device-only -nogpulib -Xclang -mlink-builtin-bitcode -Xclang "$RUNTIME" \
      -S $([[ $kind == ptx ]] || echo -emit-llvm) "$1.c" -o "$work/clang.$kind" 2> /dev/null)
    sed -E 's/__omp_offloading_[0-9a-f]+_[0-9a-f]+_/__omp_offloading_/g' "$work/clang.$kind" > "$made/${1%_*}.clang-omp.$kind"
  done
}

by_clang_all() {
  [[ -e $RUNTIME ]] && command -v "$CLANG" > /dev/null || { missing "clang-19 with libomp-19-dev"; return; }
  by_clang jacobi_omp
  by_clang blur_omp
  by_clang conv1d_omp
}

by_python() {
  local stamp=$environment/packages.txt
  if [[ ! -e $stamp || $(< "$stamp") != "${PACKAGES[*]}" ]]; then
    python3 -m venv "$environment" && "$environment/bin/pip" install -q --disable-pip-version-check "${PACKAGES[@]}" &&
      echo "${PACKAGES[*]}" > "$stamp" || { missing "${PACKAGES[*]}"; return; }
  fi
  local script python
  python=$(realpath -s "$environment/bin/python")
  for script in "$src"/*_kernels.py; do
    # In a folder of its own name: some compilers put module names into symbols.
    (cd "$src" && TRITON_CACHE_DIR=$work/triton PYTHONDONTWRITEBYTECODE=1 "$python" "$(basename "$script")" "$made" > /dev/null)
  done
}

# Numba optimises by NVVM, for which LLVM's own passes stand in. Triton writes the IR of a later LLVM: words of three
# versions on are put as LLVM 19 has them; constants in another notation are not.
readable() {
  local file
  command -v "$OPT" > /dev/null || { missing opt-19; rm -f "$made"/*.ll; return; }
  for file in "$made"/*.numba.ll; do
    "$OPT" -passes='default<O3>' -S "$file" -o "$file.opt" && mv "$file.opt" "$file"
  done
  for file in "$made"/*.triton*.ll; do
    sed -i -e 's/captures(none)/nocapture/g' -e 's/ nocreateundeforpoison//' -e 's/^target datalayout.*/&\ntarget triple = "nvptx64-nvidia-cuda"/' "$file"
    "$OPT" -passes=verify -S "$file" -o /dev/null 2> /dev/null || rm "$file"
  done
}

by_gcc_all
by_clang_all
by_python
readable

for file in "$made"/*.ptx; do
  name=$(basename "$file" .ptx)
  # shellcheck disable=SC2053  # a pattern
  [[ $name == $pattern ]] || continue
  expected=
  [[ -e $name.ptx ]] && expected=$(sed -n '/^\/\/ expect:$/,$p' "$name.ptx")
  { sed -n "s|^$name: |// launch: |p" src/launches.txt
    sed 's|^// Compiler Build ID: .*|// Compiler Build ID: (removed)|' "$file"
    [[ -z $expected ]] || echo "$expected"
  } > "$work/installed"
  if grep -n "$PWD\|/tmp/\|/root\|/home" "$work/installed"; then
    echo "generate.sh: a path of this machine is in $name" >&2
    exit 1
  fi
  mv "$work/installed" "$name.ptx"
  echo "ptx-tests/producers/$name.ptx"
done

for file in "$made"/*.ll; do
  name=$(basename "$file" .ll)
  # shellcheck disable=SC2053  # a pattern
  [[ $name == $pattern ]] || continue
  to=../../llvm-tests/producers/$name.ll
  by_hand=
  [[ -e $to ]] && by_hand=$(sed -n -e '/^;/!q' -e '/^; \(launch:\|ModuleID\)/!p' "$to")
  { [[ -z $by_hand ]] || echo "$by_hand"
    sed -n "s|^$name: |; launch: |p" src/launches.txt
    echo
    sed -e '/^; ModuleID/d' -e '/^source_filename/d' -e 's|"Debian clang version \([0-9.]*\).*"|"clang version \1"|' "$file"
  } > "$work/installed"
  if grep -n "$PWD\|/tmp/\|/root\|/home" "$work/installed"; then
    echo "generate.sh: a path of this machine is in $name" >&2
    exit 1
  fi
  mkdir -p ../../llvm-tests/producers
  mv "$work/installed" "$to"
  echo "llvm-tests/producers/$name.ll"
done
