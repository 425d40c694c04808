#!/usr/bin/env bash
# Tests what reads LLVM IR with all other versions of LLVM than 19 that are here: modules are read, rewritten, compiled by that version's
# `llc`, assembled and executed beside their originals; its clang and its opt load the plugin.
set -euo pipefail
cd "$(dirname "$0")/../../.."

debug=${CARGO_TARGET_DIR:-target}/debug
# The library of each version has the same name, so cargo takes one for the other.
forget() { rm -f "$debug"/{,deps/}libptxasw_llvm.so; }
trap forget EXIT
tested=0
for version in $(sed -n 's/^llvm\([0-9]*\) = .*/\1/p' src/llvm/Cargo.toml); do
  [[ $version != 19 ]] || continue
  headers=$("llvm-config-$version" --includedir 2> /dev/null) && [[ -d $headers/llvm ]] || continue
  command -v "llc-$version" > /dev/null && command -v "clang++-$version" > /dev/null || continue
  echo "LLVM $version"
  forget
  test=(cargo test --quiet --no-default-features --features "ptxasw-llvm/llvm$version")
  "${test[@]}" -p ptxasw-llvm --test golden -- --skip passes::
  "${test[@]}" -p ptxasw-llvm --test suite -- clang:: arithmetic:: random:: results_stay
  # That LLVM computes what operations mean, and has what is written.
  "${test[@]}" --lib -- tests
  tested=$((tested + 1))
done
if [[ $tested == 0 ]]; then
  echo "skipped: no LLVM 15 to 23 but 19 with its headers and clang"
  [[ -z ${CI:-} ]]
fi
