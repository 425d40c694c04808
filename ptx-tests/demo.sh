#!/usr/bin/env bash
# Shows what ptxasw does by default for sm_90: a kernel that changes, one that stays, and how to try a kernel of yours.
# With `pascal`: shuffles, which are the default for sm_60 and are asked for on sm_80; which lane takes its value from which, and
# what ptxas makes of both versions. With a kernel: its shuffles, under the options that follow.
#
# usage: demo.sh [pascal | KERNEL.ptx [OPTION...]]
# PTXASW is the program, DEMO_OUT the folder for what is made.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${DEMO_OUT:-target/demo/out}
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
  grep -o '(lane i[+-][0-9]*' "$1" | sed 's/(lane i//' | sort -n | uniq -c | awk '
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
  "$ptxasw" explain --full --no-estimate "$@" "$kernel" > "$out/explained"
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

# The kernel of a source, without its comments.
source_of() { # SOURCE
  sed -n '/^extern/,$p' "$1" | sed -e 's/ \*RESTRICT / */g' -e 's/^/  /'
}

# PTX of a source for sm_90 in $out/NAME.ptx: by nvcc where it is at hand and works, else what nvcc made of it when the repository
# was made. Launches that its comments name are left out: they are too small for an estimate.
compile() { # SOURCE COMMITTED.ptx NAME
  local nvcc options="-ptx -arch=sm_90 -lineinfo"
  nvcc=$(tool nvcc sm_90)
  if [[ -n $nvcc ]] && "$nvcc" $options "$1" -o "$out/$3.ptx" > "$out/log" 2>&1; then
    echo "\$ nvcc $options $1 -o $out/$3.ptx"
  else
    echo "(no nvcc that works here: the PTX is $2, for sm_90)"
    sed -e '/^\/\/ \(ptxasw\|launch\):/d' -e 's/^\.target sm_80/.target sm_90/' "$2" > "$out/$3.ptx"
  fi
}

run() { # ARGUMENT...
  local word words=
  for word in "$@"; do
    [[ $word != *" "* ]] || word="'$word'"
    words+=" $word"
  done
  echo "\$ ptxasw$words"
  "$ptxasw" "$@" 2>&1 || true
}

# From the first statement of the test at the entry to its branch.
entry_test() { # REWRITTEN.ptx
  awk '/%ptxaswp_/ && !/\.reg/ { found = 1 }
    found { print "  " $0 }
    found && /bra/ { sub(/;/, "", $NF); print "  ...        // the rewritten copy;  " $NF ": the original"; exit }' "$1"
}

changes() { # SOURCE COMMITTED.ptx NAME LAUNCH
  local launch=$4
  source_of "$1"
  echo
  compile "$1" "$2" "$3"
  run opt --verify "$out/$3.ptx" -o "$out/$3.out.ptx"
  echo
  echo "the test at the kernel's entry; where the arrays overlap, the original runs:"
  entry_test "$out/$3.out.ptx"
  echo
  echo "how much faster, and what a warp waits for before and after (an estimate by the machine code, without a GPU):"
  run explain "$out/$3.ptx"
  echo
  run report "$out/$3.ptx" --gpu sm_90 --launch "$launch" -o "$out/$3.html"
  echo
}

stays() { # SOURCE COMMITTED.ptx NAME
  source_of "$1"
  echo
  compile "$@"
  run opt "$out/$3.ptx" -o "$out/$3.out.ptx"
  ! cmp -s "$out/$3.ptx" "$out/$3.out.ptx" || echo "$3.out.ptx is $3.ptx, byte for byte"
  echo
  run explain "$out/$3.ptx"
  echo
}

pascal() {
  echo "== sm_60: shuffles are the default"
  show ptx-tests/profit/jacobi.sm_60.ptx
  echo "== sm_80: shuffles are not known to pay, and must be asked for"
  show ptx-tests/kernelgen/jacobi.sm_80.ptx
  show ptx-tests/kernelgen/jacobi.sm_80.ptx --profit always
  echo "Why each load became a shuffle or stayed: ptxasw explain --profit always ptx-tests/kernelgen/jacobi.sm_80.ptx"
}

if (($# > 0)); then
  if [[ $1 == pascal ]]; then pascal; else show "$@"; fi
  exit
fi
echo "== a kernel that changes: products of 3x3 matrices, added up in memory"
changes ptx-tests/loads/cuda/src/dense3.cu ptx-tests/loads/cuda/dense3.nvcc.ptx dense3 \
  'grid=2048 block=128 args=f32[2359296],f32[2359296],f32[2359296],262144'
echo "== a kernel that stays as it is: a stencil (make demo-pascal rewrites it for sm_60)"
stays ptx-tests/kernelgen/src/jacobi.cu ptx-tests/kernelgen/jacobi.sm_90.ptx jacobi
folder=$(cd "$(dirname "$ptxasw")" && pwd)
echo "== your own kernel:"
echo "  export PATH=\"$folder:\$PATH\""
echo "  nvcc -ptx -lineinfo -arch=sm_90 kernel.cu"
echo "  ptxasw explain kernel.ptx"
echo "  ptxasw opt kernel.ptx -o out.ptx --verify"
