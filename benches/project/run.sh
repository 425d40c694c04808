#!/usr/bin/env bash
# Builds the project with and without ptxasw, in turn, by nvcc and by clang; compares times and machine code.
#
# usage: run.sh [ROUNDS]      5 without a number; JOBS=1 sets make's -j
#
# Checked: every object assembles both ways, and those without a shuffle are byte for byte the same.
set -euo pipefail
cd "$(dirname "$0")"
root=$(realpath ../..)
rounds=${1:-5}
jobs=${JOBS:-1}
toolchain=$(realpath "${PTXASW_TOOLCHAIN:-$root/target/toolchain}")
cuda13=$(echo "$toolchain"/lib/python3*/site-packages/nvidia/cu13)
cuda12=$toolchain/cuda12
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet --manifest-path "$root/Cargo.toml"
ptxasw=$(realpath "${CARGO_TARGET_DIR:-$root/target}/release/ptxasw")
"$ptxasw" shim "$work/cuda" --cuda-home "$cuda13" > /dev/null
ln -s "$ptxasw" "$work/ptxas"
ln -s "$cuda12/bin/ptxas" "$work/ptxas.real"

clang=(clang++-19 "--cuda-path=$cuda12" -Wno-unknown-cuda-version -O3 --cuda-gpu-arch=sm_80 --cuda-device-only -c)
declare -A compile=(
  [nvcc - plain]="$cuda13/bin/nvcc -arch=sm_80 -cubin"
  [nvcc - ptxasw]="$work/cuda/bin/nvcc -arch=sm_80 -cubin"
  [clang - plain]="${clang[*]}"
  [clang - ptxasw]="${clang[*]} --ptxas-path=$work/ptxas"
)

build() { # COMPILER WAY: the seconds that it takes
  rm -rf "$work/$1-$2"
  TIMEFORMAT=%R
  { time make -s "-j$jobs" "OUT=$work/$1-$2" "COMPILE=${compile[$1 - $2]}" > "$work/log" 2>&1; } 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
}

median() { sort -g | awk '{ a[NR] = $1 } END { print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2 }'; }

for compiler in nvcc clang; do
  : > "$work/plain"; : > "$work/ptxasw"; : > "$work/ratio"
  for ((round = 0; round < rounds; round++)); do
    plain=$(build "$compiler" plain)
    ours=$(PTXASW_PROFIT=always PTXASW_STATS_DIR="$work/stats-$compiler" build "$compiler" ptxasw)
    echo "$plain" >> "$work/plain"; echo "$ours" >> "$work/ptxasw"
    awk "BEGIN { print $ours / $plain }" >> "$work/ratio"
  done
  same=0 changed=0
  for object in "$work/$compiler-plain"/*.cubin; do
    if cmp -s "$object" "$work/$compiler-ptxasw/${object##*/}"; then same=$((same + 1)); else changed=$((changed + 1)); fi
  done
  echo "$compiler: $(median < "$work/plain") s plain, $(median < "$work/ptxasw") s with ptxasw, ratio of pairs $(median < "$work/ratio")" \
    "($rounds rounds); $same objects the same, $changed changed"
  "$ptxasw" stats "$work/stats-$compiler"
done
