#!/usr/bin/env bash
# `cargo test` with these arguments, and at its end the twenty slowest tests.
#
# Cargo calls this script once more for each test program (PROGRAM ARGUMENT...), which leaves its times in a folder.
set -uo pipefail

if [[ -n ${TEST_TIMES_FOLDER:-} && $# -gt 0 && $1 == */* ]]; then
  program=$1
  file=$TEST_TIMES_FOLDER/${program##*/}
  shift
  case $program in
    # It knows its times, and writes them as `tests/times.rs` does.
    */deps/*golden-*) TEST_TIMES=$file exec "$program" "$@" --quiet ;;
    # Rust's own harness prints them, which is an unstable option. What has passed is not shown.
    */deps/*)
      RUSTC_BOOTSTRAP=1 "$program" "$@" -Z unstable-options --report-time 2>&1 | tee "$file" | grep -v '^test .* ok <[0-9.]*s>$'
      exit "${PIPESTATUS[0]}"
      ;;
    *) exec "$program" "$@" ;;
  esac
fi

cd "$(dirname "$0")/.."
TEST_TIMES_FOLDER=$(mktemp -d)
trap 'rm -rf "$TEST_TIMES_FOLDER"' EXIT
# Some wait for compilers, or for a browser.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$(($(nproc) + 1))}
host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')
export TEST_TIMES_FOLDER "CARGO_TARGET_${host}_RUNNER=$PWD/tests/run.sh"
cargo test "$@"
code=$?

echo "The slowest tests, in seconds:"
# `test a::test ... ok <1.234s>` of Rust's harness, `1.234 a::test` of `golden`.
for file in "$TEST_TIMES_FOLDER"/*; do
  name=$(basename "$file")
  awk -v program="${name%-*}" '
    /^test .* (ok|FAILED) <[0-9.]+s>$/ { print substr($NF, 2) + 0, program, $2; next }
    /^[0-9.]+ / { print $1 + 0, program, $2 }' "$file"
done | sort -rn | head -20 | sed 's/^/  /'
exit $code
