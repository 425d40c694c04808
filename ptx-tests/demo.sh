#!/usr/bin/env bash
# Rewrites one kernel of ours for sm_60, where shuffles are the default, and for sm_80, where they are asked for; shows what
# changed, which lane takes its value from which, and what ptxas makes of both versions.
#
# usage: demo.sh [KERNEL.ptx [OPTION...]]
set -euo pipefail
cd "$(dirname "$0")/.."

out=target/demo/out
mkdir -p "$out"
ptxasw=${PTXASW:-target/demo/ptxasw}
wheels=("${PTXASW_TOOLCHAIN:-target/toolchain}"/lib/python3*/site-packages/nvidia)

# A program of the toolkit for a target, in the order that the README states. CUDA 13 knows no target below sm_75.
tool() { # NAME TARGET
  local variable=PTXASW_${1^^} folder=cu13 number=${2//[^0-9]/} candidate
  ((number >= 75)) || folder=cuda_nvcc
  if [[ $1 == nvdisasm && $folder == cuda_nvcc ]]; then
    [[ -z ${PTXASW_NVDISASM_12:-} ]] || echo "$PTXASW_NVDISASM_12"
    return
  fi
  for candidate in "${!variable:-}" "${wheels[0]}/$folder/bin/$1" "${CUDA_HOME:+$CUDA_HOME/bin/$1}"; do
    if [[ -n $candidate && -x $candidate ]]; then
      echo "$candidate"
      return
    fi
  done
  command -v "$1" || true
}

count() { grep -cE "$1" "$2" || true; }

# The lanes of a warp, for each distance of an explanation: a corner lane has no neighbour there, and loads.
lanes() { # EXPLANATION
  grep -o 'lane i[+-][0-9]*' "$1" | sed 's/lane i//' | sort -n | uniq -c | awk '
    function cell(text) { printf "%5s", text }
    function row(title, distance,   lane) {
      printf "  %-24s", title
      for (lane = 0; lane < 32; lane++) {
        if (lane == 5) { cell("..."); lane = 27 }
        if (distance == "") cell(lane)
        else cell(lane + distance >= 0 && lane + distance < 32 ? lane + distance : "load")
      }
      printf "\n"
    }
    NR == 1 { row("lane i", "") }
    { row($1 " loads: from lane i" $2, $2) }'
}

row() { # TITLE PTX TARGET
  local cubin=$out/$1.cubin ptxas nvdisasm registers=- sass=-
  ptxas=$(tool ptxas "$3")
  nvdisasm=$(tool nvdisasm "$3")
  if [[ -n $ptxas ]] && "$ptxas" -v -arch="$3" "$2" -o "$cubin" > "$out/log" 2>&1; then
    registers=$(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' "$out/log" | sort -n | tail -1)
    # Padding and the endless loop after the last exit are not work.
    [[ -z $nvdisasm ]] || sass=$("$nvdisasm" -c "$cubin" | grep -E '^ +/\*[0-9a-f]{4,}\*/' |
      grep -vcE '\*/ +NOP|\*/ +BRA `\(\.L_x_[0-9]+\);' || true)
  fi
  printf '  %-8s %12s %16s %9s %10s %18s\n' "$1" "$(count '^[[:space:]]*ld\.global' "$2")" \
    "$(count '^[[:space:]]*@.*ld\.global' "$2")" "$(count 'shfl\.sync' "$2")" "$registers" "$sass"
}

show() { # KERNEL OPTION...
  local kernel=$1 target
  shift
  target=$(sed -n 's/^\.target[[:space:]]*\(sm_[0-9]*[af]\{0,1\}\).*/\1/p' "$kernel" | head -1)
  echo "\$ ptxasw opt ${*:+$* }$kernel -o $out/out.ptx"
  "$ptxasw" opt "$@" "$kernel" -o "$out/out.ptx" 2>&1
  "$ptxasw" explain "$@" "$kernel" > "$out/explained"
  if ! grep -q ' shuffled, scheme' "$out/explained"; then
    echo
    return
  fi
  echo
  diff --unified=0 "$kernel" "$out/out.ptx" | grep '^[-+]' | grep -v '^\(---\|+++\)' > "$out/diff" || true
  echo "what changed, beside $(grep -vc 'ld\.global\|shfl\|\.reg' "$out/diff") instructions that set up mask and clamps:"
  grep 'ld\.global\|shfl' "$out/diff" | cut -c1-100 | sed 's/^/  /' || true
  echo
  echo "the lanes of a warp (a lane at the end of a row, or whose neighbour is not active, loads as well):"
  lanes "$out/explained"
  echo
  echo "as ptxas assembles it for $target:"
  printf '  %-8s %12s %16s %9s %10s %18s\n' '' 'global loads' 'in corners only' shuffles registers 'SASS instructions'
  row before "$kernel" "$target"
  row after "$out/out.ptx" "$target"
  echo
}

if (($# > 0)); then
  show "$@"
  exit
fi
echo "== sm_60: shuffles are the default"
show ptx-tests/profit/jacobi.sm_60.ptx
echo "== sm_80: shuffles are not known to pay, and must be asked for"
show ptx-tests/kernelgen/jacobi.sm_80.ptx
show ptx-tests/kernelgen/jacobi.sm_80.ptx --profit always
echo "Why each load became a shuffle or stayed: ptxasw explain --profit always ptx-tests/kernelgen/jacobi.sm_80.ptx"
