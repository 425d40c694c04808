#!/usr/bin/env bash
# Rewrites one of our kernels and shows what changed, why, and what the real
# ptxas makes of both versions.
#
# usage: demo.sh [KERNEL.ptx]
set -euo pipefail
cd "$(dirname "$0")/.."

kernel=${1:-ptx-tests/kernelgen/jacobi.sm_80.ptx}
out=target/demo
mkdir -p "$out"
ptxasw=target/release/ptxasw

# A program of the toolkit, in the order that the README states.
tool() { # NAME
  local variable=PTXASW_${1^^} candidate
  for candidate in "${!variable:-}" \
    "${PTXASW_TOOLCHAIN:-target/toolchain}"/lib/python3*/site-packages/nvidia/cu13/bin/"$1" \
    "${CUDA_HOME:+$CUDA_HOME/bin/$1}"; do
    if [[ -n $candidate && -x $candidate ]]; then
      echo "$candidate"
      return
    fi
  done
  command -v "$1"
}

echo "== ptxasw opt --profit always $kernel -o $out/out.ptx"
"$ptxasw" opt --profit always "$kernel" -o "$out/out.ptx"
echo
echo "== ptxasw explain --profit always $kernel"
"$ptxasw" explain --profit always "$kernel"
echo
echo "== what changed"
diff --unified=0 "$kernel" "$out/out.ptx" | grep '^[-+]' | grep -v '^\(---\|+++\)' | cut -c1-100 || true
echo

ptxas=$(tool ptxas) || { echo "demo: no ptxas" >&2; exit 1; }
nvdisasm=$(tool nvdisasm) || nvdisasm=
arch=$(sed -n 's/^\.target[[:space:]]*\(sm_[0-9]*[af]\{0,1\}\).*/\1/p' "$kernel" | head -1)

count() { grep -cE "$1" "$2" || true; }

row() { # TITLE PTX
  local cubin=$out/$1.cubin registers sass=-
  registers=$("$ptxas" -v -arch="$arch" "$2" -o "$cubin" 2>&1 | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' | sort -n | tail -1)
  # Padding and the endless loop behind the last exit are no work.
  [[ -z $nvdisasm ]] || sass=$("$nvdisasm" -c "$cubin" | grep -E '^ +/\*[0-9a-f]{4,}\*/' |
    grep -vcE '\*/ +NOP|\*/ +BRA `\(\.L_x_[0-9]+\);' || true)
  printf '%-8s %13s %15s %9s %10s %18s\n' "$1" "$(count '^[[:space:]]*ld\.global' "$2")" \
    "$(count '^[[:space:]]*@.*ld\.global' "$2")" "$(count 'shfl\.sync' "$2")" "$registers" "$sass"
}

echo "== assembled for $arch by $ptxas"
printf '%-8s %13s %15s %9s %10s %18s\n' '' 'global loads' 'only in corners' shuffles registers 'SASS instructions'
row before "$kernel"
row after "$out/out.ptx"
