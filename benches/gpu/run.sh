#!/usr/bin/env bash
# Runs the measurements of this folder on a GPU. Each slice takes a few minutes at most and leaves its tables and figures in OUT,
# so that one can go on where another stopped. Needs `ptxasw`, `ptxas` and this repository.
#
#   run.sh [SLICE...]        default: all, in this order
#     micro       what loads, stores and shuffles cost (micro.cu)
#     kernelgen   KernelGen at the paper's sizes: the original, every wrapping, the measuring variants
#     rows        the same for blocks of a size that the kernel declares
#     blocks      the same for blocks of 512 threads
#     default     what `ptxasw opt` makes by default, beside the original: all modules that it changes
#     public      shapes of public programs: those that the default is said to slow down, and those that gain most
#     loads       kernels of the memory pass at every level, and the same source with `restrict`
#     clang       the same by clang
#     occupancy   some of them with less room on a multiprocessor, by dynamic shared memory
#     verify      every small launch of ptx-tests: original and rewritten on the GPU, original on GPU and warp executor
#
#   OUT=FOLDER      target/bench-gpu
#   PTXASW=PROGRAM  target/release/ptxasw
#   MICRO=PROGRAM   what nvcc makes of micro.cu; made in OUT if it is not there
#   ARCH=sm_90      which of the committed modules of KernelGen: sm_80, sm_90, clang
#   COMPILER=driver who makes machine code: ptxas -O3 for the GPU's architecture, driver, auto
#   DEVICE=1        number of the GPU
#   SAMPLES=20      samples of each time; by default as many as a few seconds allow
#   FROM=100        the file of ptx-tests that the slice `verify` starts at
set -uo pipefail
cd "$(dirname "$0")/../.."
out=${OUT:-target/bench-gpu}
arch=${ARCH:-sm_80}
ptxasw=${PTXASW:-target/release/ptxasw}
micro=${MICRO:-$out/micro}
common=(--compiler "${COMPILER:-ptxas}" --device "${DEVICE:-0}" --markdown)
[[ -z ${SAMPLES:-} ]] || common+=(--samples "$SAMPLES")
# Bytes of dynamic shared memory of a block that leave room for eight, four and two of them.
ROOM=(28000 56000 113000)
# Kernels for the slice `occupancy`; the last two cannot gain.
BOUNDED=(chemistry particles dense5 saxpy record4 fir not_chase not_record3)
# Kernels for the slice `public`: bound by pipes, by memory twice, by a chain of results; the last four gain.
PUBLIC=(bodies gates transform recursive record8 matrix18 dense3 chemistry)
mkdir -p "$out"
failed=0

# NAME MODULE... -- OPTION...
table() {
  local name=$1 modules=()
  shift
  while [[ $1 != -- ]]; do modules+=("$1"); shift; done
  shift
  # Not in a pipe: the exit code shows whether results differ.
  "$ptxasw" time "${modules[@]}" "${common[@]}" --json="$out/$name.json" "$@" > "$out/$name.md" || failed=$?
  cat "$out/$name.md"
}

slice_micro() {
  [[ -x $micro ]] || nvcc -O3 -std=c++17 -arch=native -cudart static -o "$micro" benches/gpu/micro.cu || return
  "$micro" "$out/micro.json" > "$out/micro.md" || failed=$?
  cat "$out/micro.md"
}

slice_kernelgen() {
  local launch modules=()
  for launch in benches/gpu/*.toml; do
    modules+=("ptx-tests/kernelgen/$(basename "$launch" .toml).$arch.ptx")
  done
  table kernelgen "${modules[@]}" -- --launch benches/gpu --passes shuffle
}

slice_rows() {
  local launch name modules=()
  mkdir -p "$out/rows"
  for launch in benches/gpu/*.toml; do
    name=$(basename "$launch" .toml)
    sed 's/^\.maxntid/.reqntid/' "ptx-tests/kernelgen/$name.$arch.ptx" > "$out/rows/$name.ptx"
    modules+=("$out/rows/$name.ptx")
  done
  table rows "${modules[@]}" -- --launch benches/gpu --passes shuffle
}

slice_blocks() {
  local launch name modules=()
  mkdir -p "$out/blocks"
  for launch in benches/gpu/*.toml; do
    name=$(basename "$launch" .toml)
    # Blocks of products of matrices are as large as their kernels want them.
    case $name in matmul|matvec|sincos|vecadd) continue ;; esac
    sed 's/^\.maxntid 128/.maxntid 512/' "ptx-tests/kernelgen/$name.$arch.ptx" > "$out/blocks/$name.ptx"
    perl -pe 's/^block = 128$/block = 512/; s/^grid = \[(\d+),/"grid = [" . $1 \/ 4 . ","/e' "$launch" > "$out/blocks/$name.toml"
    modules+=("$out/blocks/$name.ptx")
  done
  table blocks "${modules[@]}" -- --launch "$out/blocks" --passes shuffle
}

# NAME FOLDER MODULE...: modules that the default changes, with launches of the folder.
default_of() {
  local name=$1 launches=$2 module changed=()
  local made="$out/$name"
  shift 2
  mkdir -p "$made"
  for module; do
    "$ptxasw" opt "$module" -o "$made/$(basename "$module")" > /dev/null || { failed=$?; continue; }
    cmp -s "$module" "$made/$(basename "$module")" || changed+=("$module")
  done
  [[ ${#changed[@]} -eq 0 ]] && { echo "$name: nothing changes"; return; }
  table "$name" "${changed[@]}" -- --launch "$launches" --against "$made"
}

slice_default() {
  # shellcheck disable=SC2046
  default_of default benches/gpu/loads $(modules_of gcc $(names)) $(modules_of nvcc $(names))
  # shellcheck disable=SC2046
  default_of default.clang benches/gpu/loads $(modules_of clang $(names))
  # shellcheck disable=SC2046
  default_of default.kernelgen benches/gpu $(for name in $(basename -s .toml benches/gpu/*.toml); do
    echo "ptx-tests/kernelgen/$name.$arch.ptx"; done)
}

slice_public() {
  # shellcheck disable=SC2046
  default_of public benches/gpu/loads $(modules_of nvcc "${PUBLIC[@]}")
}

# COMPILER NAME...: the modules of these names: large ones of their own, else those of the tests.
modules_of() {
  local name folder compiler=$1
  shift
  for name; do
    for folder in benches/gpu/loads ptx-tests/loads/{openacc,cuda,records}; do
      if [[ -e $folder/$name.$compiler.ptx ]]; then echo "$folder/$name.$compiler.ptx"; break; fi
    done
  done
}

names() { basename -s .toml benches/gpu/loads/*.toml; }

slice_loads() {
  # shellcheck disable=SC2046
  table loads $(modules_of gcc $(names)) $(modules_of nvcc $(names)) -- \
    --launch benches/gpu/loads --passes memory --against ptx-tests/loads/restrict
}

slice_clang() {
  # shellcheck disable=SC2046
  table clang $(modules_of clang $(names)) -- --launch benches/gpu/loads --passes memory
}

slice_occupancy() {
  local bytes name
  for bytes in "${ROOM[@]}"; do
    mkdir -p "$out/launches"
    for name in "${BOUNDED[@]}"; do
      sed "s/^block =/shared = $bytes\nblock =/" "benches/gpu/loads/$name.toml" > "$out/launches/$name.toml"
    done
    # shellcheck disable=SC2046
    table "occupancy.$bytes" $(modules_of nvcc "${BOUNDED[@]}") -- --launch "$out/launches" --passes memory
  done
}

# FILE: original against what each pass makes of it, for every launch of the file's header.
verify_one() {
  local file=$1 made options code
  made=$(mktemp -d)
  { echo "launch = ["; sed -n "s,^// launch: \(.*\),'\1'\,,p" "$file"; echo "]"; } > "$made/launches.toml"
  for options in "--passes memory --loads always" "--passes shuffle --profit always" \
    "--passes shuffle --profit always --wrapping R" "--passes shuffle --profit always --wrapping halo"; do
    # shellcheck disable=SC2086
    "$ptxasw" opt $options --no-register-check "$file" -o "$made/k.ptx" > /dev/null 2>&1 || continue
    "$ptxasw" verify "$file" "$made/k.ptx" --launch "$made/launches.toml" --on-gpu --executor --samples 1 --schedules lockstep \
      > "$made/out" 2>&1
    code=$?
    echo "$code $file [$options]"
    sed 's/^/    /' "$made/out"
  done
  rm -r "$made"
}

slice_verify() {
  export ptxasw
  export -f verify_one
  grep -rl '^// launch: ' ptx-tests --include='*.ptx' | sort | tail -n "+${FROM:-1}" | xargs -P 12 -I{} bash -c 'verify_one {}' > "$out/verify.txt"
  grep -E '^[0-9]+ ' "$out/verify.txt" | cut -d' ' -f1 | sort | uniq -c
}

[[ $# -gt 0 ]] || set -- micro kernelgen rows blocks default public loads clang occupancy verify
for slice; do
  declare -F "slice_$slice" > /dev/null || { echo "run.sh: there is no slice '$slice'" >&2; exit 2; }
  echo "$slice" >&2
  "slice_$slice"
done
exit $failed
