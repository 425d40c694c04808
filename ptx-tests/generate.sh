#!/usr/bin/env bash
# Regenerates the committed PTX and LLVM IR from our CUDA C sources.
#
# usage: generate.sh [NAME...]      all sources, or those with these base names
#        generate.sh --nvcc-into DIR [NAME...]
#                                   only nvcc's for sm_80, for a comparison
#
# The tools are nvcc of target/toolchain (or $NVCC) and clang-19 (or $CLANG). A
# source's leading comment lines `// ptxasw:` and `// launch:` are copied to
# the head of each PTX file made from it, and `// nvcc:` gives it more options.
# Expectations at the end of a file are kept; `make bless` renews them.
set -euo pipefail
cd "$(dirname "$0")/.."

root=.
everything=yes
if [[ ${1:-} == --nvcc-into ]]; then
  root=$2
  everything=no
  shift 2
fi
toolchain=${PTXASW_TOOLCHAIN:-$PWD/target/toolchain}
NVCC=${NVCC:-$(echo "$toolchain"/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)}
CLANG=${CLANG:-clang-19}
only=" $* "
work=$(mktemp -d)
# nvcc records absolute paths in debug information, and their hash in internal
# names: sources with options of their own are compiled in a folder of the same name on every machine.
neutral=/var/tmp/ptxasw
trap 'rm -rf "$work"' EXIT

wanted() { [[ $only == "  " || $only == *" $1 "* ]]; }

# The value of a `// KEY: value` line of a source.
option() { sed -n "s|^// $2: *||p" "$1" | head -1; }

# Our header lines, the compiler's output without compiler build numbers or
# paths of this machine, the expectations that are there.
install_ptx() { # SOURCE MADE DESTINATION
  local expected=
  [[ -e $3 ]] && expected=$(sed -n '/^\/\/ expect:$/,$p' "$3")
  mkdir -p "$(dirname "$3")"
  { sed -n -e '\,^//,!q' -e '\,^// \(ptxasw\|launch\):,p' "$1"
    sed -e 's|^// Compiler Build ID: .*|// Compiler Build ID: (removed)|' \
      -e "s|\"$neutral/|\"|" "$2"
    [[ -z $expected ]] || echo "$expected"
  } > "$work/installed.ptx"
  if grep -n "$PWD\|/tmp/\|/root\|/home" "$work/installed.ptx"; then
    echo "generate.sh: a path of this machine is in $3" >&2
    exit 1
  fi
  mv "$work/installed.ptx" "$3"
  echo "$3"
}

by_nvcc() { # SOURCE ARCH DESTINATION
  local extra folder
  extra=$(option "$1" nvcc)
  folder=$(dirname "$1")
  if [[ -n $extra ]]; then
    mkdir -p "$neutral"
    cp "$1" "$neutral"
    folder=$neutral
  fi
  # shellcheck disable=SC2086  # options are words
  (cd "$folder" && "$NVCC" -O3 -ptx -arch="$2" $extra "$(basename "$1")" -o "$work/nvcc.ptx")
  install_ptx "$1" "$work/nvcc.ptx" "$root/$3"
}

CLANG_FLAGS=(-x cuda --cuda-device-only -nocudainc -nocudalib -O3
  -ffp-contract=fast --cuda-gpu-arch=sm_80
  -Xclang -target-feature -Xclang +ptx85)

by_clang() { # SOURCE OUTPUT -S-OPTIONS...
  local source=$1 made=$2
  shift 2
  (cd "$(dirname "$source")" &&
    "$CLANG" "${CLANG_FLAGS[@]}" -include ../../clang_cuda.h -S "$@" "$(basename "$source")" -o "$made")
}

for source in ptx-tests/kernelgen/src/*.cu; do
  name=$(basename "$source" .cu)
  wanted "$name" || continue
  by_nvcc "$source" sm_80 "ptx-tests/kernelgen/$name.sm_80.ptx"
  [[ $everything == yes ]] || continue
  by_nvcc "$source" sm_90 "ptx-tests/kernelgen/$name.sm_90.ptx"
  by_clang "$source" "$work/clang.ptx"
  install_ptx "$source" "$work/clang.ptx" "ptx-tests/kernelgen/$name.clang.ptx"
  mkdir -p llvm-tests/kernelgen
  by_clang "$source" "$work/clang.ll" -emit-llvm
  sed 's|"Debian clang version \([0-9.]*\).*"|"clang version \1"|' "$work/clang.ll" > "llvm-tests/kernelgen/$name.ll"
  echo "llvm-tests/kernelgen/$name.ll"
done

for source in ptx-tests/producers/src/*.cu; do
  name=$(basename "$source" .cu)
  wanted "$name" || continue
  by_nvcc "$source" sm_80 "ptx-tests/producers/$name.nvcc.ptx"
  [[ $everything == yes && -n $(option "$source" clang) ]] || continue
  by_clang "$source" "$work/clang.ptx"
  install_ptx "$source" "$work/clang.ptx" "ptx-tests/producers/$name.clang.ptx"
done

shopt -s nullglob
for source in ptx-tests/wild/src/*.cu; do
  name=$(basename "$source" .cu)
  wanted "$name" || continue
  by_nvcc "$source" sm_80 "ptx-tests/wild/$name.ptx"
done

for source in ptx-tests/{carried,copies}/src/*.cu; do
  name=$(basename "$source" .cu)
  folder=${source%/src/*}
  wanted "$name" || continue
  by_nvcc "$source" sm_80 "$folder/$name.nvcc.ptx"
  [[ $everything == yes ]] || continue
  by_clang "$source" "$work/clang.ptx"
  install_ptx "$source" "$work/clang.ptx" "$folder/$name.clang.ptx"
done
rm -rf "$neutral"

for source in ptx-tests/wrappings/src/*.cu; do
  name=$(basename "$source" .cu)
  wanted "$name" || continue
  by_nvcc "$source" sm_80 "ptx-tests/wrappings/$name.ptx"
done

[[ $everything == no || -n ${only// /} ]] || ptx-tests/producers/generate.sh
