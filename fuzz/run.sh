#!/usr/bin/env bash
# Runs fuzz targets, all or those that are named, for SECONDS_EACH seconds each (60), from the inputs of the file tests.
# SANITIZER=address builds with that (no target comes to unsafe code of ours in its own process, and it takes twice the time).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${SECONDS_EACH:-60}
sanitizer=${SANITIZER:-none}
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

# Copies inputs of at most so many bytes to the corpus of a target: file names are the paths, so that none hides another.
seed() {
    local target=$1 most=$2 pattern=$3 path copy
    shift 3
    mkdir -p "fuzz/corpus/$target"
    while IFS= read -r path; do
        copy="fuzz/corpus/$target/${path//\//-}"
        # Expectations after the text are no part of it.
        sed '/^\(\/\/\|;\) expect:/,$d' "$path" >"$copy"
        [[ $(stat -c %s "$copy") -le $most ]] || rm "$copy"
    done < <(find "$@" -type f -name "$pattern" -size -64k | sort)
}

# The words of texts, as libFuzzer reads them.
dictionary() {
    local pattern=$1 words=$2
    shift 2
    find "$@" -type f -name "$pattern" -exec grep -ohE "$words" {} + |
        sort | uniq -c | sort -rn | awk 'NR <= 500 { print "\"" $2 "\"" }'
}

declare -A most=([parse]=32768 [lower]=16384 [rewrite]=8192 [ir]=16384 [text]=16384 [patch]=16384)
for target in parse lower rewrite; do
    seed "$target" "${most[$target]}" '*.ptx' ptx-tests tests
done
seed text 16384 '*.ir' tests/ir
seed patch 16384 '*.ir' tests/ir/cases/patch
seed launch 32768 '*.toml' ptx-tests benches tests
grep -rhs '^// launch: ' ptx-tests | sed 's|^// launch: *[^ ]* ||' | sort -u | split -l 1 -a 4 - fuzz/corpus/launch/line-
mkdir -p fuzz/corpus/arguments fuzz/corpus/plan
# One word a line; the first is the program.
grep '^\[' tests/dropin/argv.txt | split -l 1 -a 4 --filter 'grep -o "\"[^\"]*\"" | tr -d "\"" | tail -n +2 >"$FILE"' - fuzz/corpus/arguments/
wanted() {
    [[ " ${targets[*]} " == *" $1 "* ]]
}
if wanted plan || wanted ir; then
    cargo build --quiet
fi
if wanted plan; then
    for kernel in ptx-tests/kernelgen/gaussblur.sm_80.ptx ptx-tests/participation/guard.ptx; do
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
fi

toolchain=$(realpath "${PTXASW_TOOLCHAIN:-target/toolchain}")
ptxas=$(find "$toolchain" -path '*/nvidia/cu13/bin/ptxas' -print -quit 2>/dev/null || true)
if wanted cubin && [[ -n $ptxas ]]; then
    mkdir -p fuzz/corpus/cubin
    find ptx-tests/loads ptx-tests/kernelgen -name '*.ptx' -size -16k | sort | awk 'NR % 4 == 0' | while IFS= read -r path; do
        "$ptxas" -arch=sm_90 -lineinfo "$path" -o "fuzz/corpus/cubin/${path//\//-}" 2>/dev/null || true
    done
fi

built=$PWD/target/fuzz
mkdir -p "$built"
dictionary '*.ptx' '[.%]?[a-z_]{2,}[a-z0-9_]*' ptx-tests >"$built/ptx.dict"
dictionary '*.ir' '[a-z_]{2,}[a-z0-9_]*' tests/ir >"$built/text.dict"
dictionary '*.ll' '[a-z_]{2,}[a-z0-9_.]*' llvm-tests >"$built/ll.dict"
declare -A words=([parse]=ptx [lower]=ptx [rewrite]=ptx [ir]=ll [text]=text [patch]=text)

# What a thread-local solver holds at the end is no leak, and tracing may be forbidden.
export ASAN_OPTIONS=detect_leaks=0
export PTXASW_LLVM=${PTXASW_LLVM:-$PWD/target/debug/ptxasw-llvm}
[[ -z $ptxas ]] || export PTXASW_FUZZ_PTXAS=${PTXASW_FUZZ_PTXAS:-$ptxas}
# It takes minutes, and is nothing to an instrumented build.
export CARGO_PROFILE_RELEASE_LTO=off
# Compared numbers help changes of bytes, not those of words, and would take half of the time.
build=(--sanitizer "$sanitizer" --no-trace-compares --target-dir "$built")
for target in "${targets[@]}"; do
    echo "== $target"
    options=(-max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=1 -reload=0)
    options+=(-max_len="${most[$target]:-65536}")
    [[ -z ${words[$target]:-} ]] || options+=(-dict="$built/${words[$target]}.dict")
    # Whatever is found lies in fuzz/artifacts.
    (cd fuzz && cargo +nightly fuzz run "${build[@]}" "$target" -- "${options[@]}") 2>&1 |
        grep --line-buffered -v -E '(NEW|REDUCE|RELOAD) '
done
