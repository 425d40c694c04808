#!/usr/bin/env bash
# Runs fuzz targets, all or those that are named, for SECONDS_EACH seconds each (60), from the inputs of the file tests.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${SECONDS_EACH:-60}
targets=("$@")
[[ $# -gt 0 ]] || mapfile -t targets < <(sed -n 's/^name = "\(.*\)"$/\1/p' fuzz/Cargo.toml | tail -n +2)

if ! rustup toolchain list | grep -q '^nightly'; then
    echo "fuzzing needs a nightly compiler: rustup toolchain install nightly --profile minimal" >&2
    exit 1
fi
cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked || {
    echo "cargo-fuzz is not installed, and could not be had from crates.io" >&2
    exit 1
}

# Copies inputs to the corpus of each target: file names are the paths, so that none hides another.
seed() {
    local target=$1 pattern=$2 path
    shift 2
    mkdir -p "fuzz/corpus/$target"
    while IFS= read -r path; do
        # Expectations behind the text are no part of it.
        sed '/^\(\/\/\|;\) expect:/,$d' "$path" >"fuzz/corpus/$target/${path//\//-}"
    done < <(find "$@" -type f -name "$pattern" -size -32k | sort)
}

for target in parse lower rewrite; do
    seed "$target" '*.ptx' ptx-tests tests
done
seed launch '*.toml' ptx-tests benches tests
grep -rhs '^// launch: ' ptx-tests | sed 's|^// launch: *[^ ]* ||' | sort -u | split -l 1 -a 4 - fuzz/corpus/launch/line-
mkdir -p fuzz/corpus/arguments fuzz/corpus/plan
# One word a line; the first is the program.
grep '^\[' tests/dropin/argv.txt | split -l 1 -a 4 --filter 'grep -o "\"[^\"]*\"" | tr -d "\"" | tail -n +2 >"$FILE"' - fuzz/corpus/arguments/
seed ir '*.ll' llvm-tests
cargo build --quiet
for kernel in ptx-tests/kernelgen/gaussblur.ptx ptx-tests/participation/guard.ptx; do
    folder=$(mktemp -d)
    target/debug/ptxasw opt --profit always "$kernel" -o /dev/null --certificates "$folder/all"
    find "$folder" -type f -size -32k | head -40 | while IFS= read -r path; do
        cp "$path" "fuzz/corpus/plan/$(basename "$kernel")-$(basename "$path")"
    done
    rm -r "$folder"
done
mkdir -p target/fuzz-tree
cp ptx-tests/participation/*.ptx target/fuzz-tree/
target/debug/ptxasw corpus target/fuzz-tree --no-assemble --quiet --resume target/fuzz-tree/records >/dev/null
head -1 target/fuzz-tree/records >fuzz/corpus/plan/record

# What a thread-local solver holds at the end is no leak, and tracing may be forbidden.
export ASAN_OPTIONS=detect_leaks=0
export PTXASW_LLVM=${PTXASW_LLVM:-$PWD/target/debug/ptxasw-llvm}
for target in "${targets[@]}"; do
    echo "== $target"
    # Whatever is found lies in fuzz/artifacts.
    (cd fuzz && cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 \
        -max_len=65536 -print_final_stats=1 -verbosity=0)
done
