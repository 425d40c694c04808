#!/usr/bin/env bash
# Many files of many kernels: bare calls of the assembler with and without ptxasw, in turn, and a part of the files through nvcc.
#
# usage: run.sh [ROUNDS]      2 without a number; FILES=500 KERNELS=20 JOBS=2 LARGEST=1: also the memory of the largest call
#
# What is compiled lies in target/scale and is compiled once. Sccache and its build server: SOAK_KERNELS=20 tests/soak/sccache.sh.
set -euo pipefail
export LC_ALL=C
root=$(realpath "$(dirname "$0")/../..")
rounds=${1:-2} files=${FILES:-500} kernels=${KERNELS:-20} jobs=${JOBS:-2}
toolchain=$(realpath "${PTXASW_TOOLCHAIN:-$root/target/toolchain}")
cuda=$(echo "$toolchain"/lib/python3*/site-packages/nvidia/cu13)
target=$(realpath "${CARGO_TARGET_DIR:-$root/target}")
work=$target/scale/$files-$kernels
cargo build --release --quiet --manifest-path "$root/Cargo.toml" --bin ptxasw
mkdir -p "$work/links"
ln -sf "$target/release/ptxasw" "$work/links/ptxas"
ln -sf "$cuda/bin/ptxas" "$work/links/ptxas.real"
"$target/release/ptxasw" shim "$work/shadow" --cuda-home "$cuda" > /dev/null

numbers() { seq 0 $(("$1" - 1)); }
if [[ ! -e $work/f$((files - 1)).ptx ]]; then
  "$root/benches/scale/generate.py" "$work" "$files" "$kernels"
  numbers "$files" | xargs -P "$jobs" -I{} "$cuda/bin/nvcc" -O3 -arch=sm_80 -ptx "$work/f{}.cu" -o "$work/f{}.ptx"
fi

timed() { # COMMAND...: the seconds that it takes
  TIMEFORMAT=%R
  { time "$@" > "$work/log" 2>&1; } 2>&1 || { cat "$work/log" >&2; exit 1; }
}
assemble() { # ASSEMBLER FOLDER
  mkdir -p "$work/$2"
  numbers "$files" | xargs -P "$jobs" -I{} "$1" -arch=sm_80 "$work/f{}.ptx" -o "$work/$2/f{}.cubin"
}
compile() { # NVCC FOLDER
  mkdir -p "$work/$2"
  numbers $((files / 10)) | xargs -P "$jobs" -I{} "$1" -O3 -arch=sm_80 -c "$work/f{}.cu" -o "$work/$2/f{}.o"
}
ratio() { awk "BEGIN { printf \"%.3f\", $2 / $1 }"; }
kilobytes() { # PROGRAM FILE: the memory that a call takes at most, with all that it calls
  python3 -c 'import resource, subprocess, sys
subprocess.run([sys.argv[1], "-arch=sm_80", sys.argv[2], "-o", "/dev/null"], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$1" "$2"
}

for ((round = 1; round <= rounds; round++)); do
  rm -rf "$work/cache" "$work/none"
  plain=$(timed assemble "$cuda/bin/ptxas" plain)
  first=$(XDG_CACHE_HOME=$work/cache timed assemble "$work/links/ptxas" ours)
  second=$(XDG_CACHE_HOME=$work/cache timed assemble "$work/links/ptxas" again)
  cmp -s <(cd "$work/ours" && sha256sum -- *) <(cd "$work/again" && sha256sum -- *) || { echo "a second build differs" >&2; exit 1; }
  echo "assembler, $files files of $kernels kernels, -j$jobs: $plain s alone, with ptxasw $first s ($(ratio "$plain" "$first")), again $second s ($(ratio "$plain" "$second"))"
  plain=$(timed compile "$cuda/bin/nvcc" plain)
  first=$(XDG_CACHE_HOME=$work/none timed compile "$work/shadow/bin/nvcc" ours)
  echo "nvcc, $((files / 10)) files: $plain s alone, with ptxasw $first s ($(ratio "$plain" "$first"))"
done
changed=0
for ((file = 0; file < files; file++)); do
  cmp -s "$work/plain/f$file.cubin" "$work/ours/f$file.cubin" || changed=$((changed + 1))
done
echo "$changed of $files files are changed"
if [[ -n ${LARGEST:-} ]]; then
  largest=$(ls -S "$work"/*.ptx | sed -n 1p)
  echo "memory of the largest call: $(kilobytes "$cuda/bin/ptxas" "$largest") KiB alone, with ptxasw $(kilobytes "$work/links/ptxas" "$largest") KiB"
fi
