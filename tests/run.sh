#!/usr/bin/env bash
# `cargo test` with these arguments, and at its end the twenty slowest tests.
#
# Cargo calls this script once more for each test program (PROGRAM ARGUMENT...), which leaves its times in a folder.
set -uo pipefail

if [[ -n ${PTXASW_TEST_FOLDER:-} && $# -gt 0 && $1 == */* ]]; then
  program=$1
  file=$PTXASW_TEST_FOLDER/${program##*/}
  shift
  case $program in
    # It knows its times, and writes them as `tests/times.rs` does.
    */deps/*golden-*) PTXASW_TEST_TIMES=$file exec "$program" "$@" ;;
    # Times are an unstable part of Rust's own harness.
    */deps/*) RUSTC_BOOTSTRAP=1 exec "$program" "$@" -Z unstable-options --report-time --logfile "$file" ;;
    *) exec "$program" "$@" ;;
  esac
fi

cd "$(dirname "$0")/.."
PTXASW_TEST_FOLDER=$(mktemp -d)
trap 'rm -rf "$PTXASW_TEST_FOLDER"' EXIT
host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')
export PTXASW_TEST_FOLDER "CARGO_TARGET_${host}_RUNNER=$PWD/tests/run.sh"
cargo test "$@"
code=$?

echo "The slowest tests, in seconds:"
# `ok a::test <1.234s>` of Rust's harness, `1.234 a::test` of `golden`.
for file in "$PTXASW_TEST_FOLDER"/*; do
  name=$(basename "$file")
  awk -v program="${name%-*}" '
    /^(ok|failed) .*<[0-9.]+s>$/ { print substr($NF, 2) + 0, program, $2; next }
    /^[0-9.]+ / { print $1 + 0, program, $2 }' "$file"
done | sort -rn | head -20 | sed 's/^/  /'
exit $code
