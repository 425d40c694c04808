#!/usr/bin/env bash
# Tests what reads LLVM IR with other versions of LLVM than 19: modules are read, rewritten, compiled by that version's `llc`,
# assembled and executed beside their originals; its clang and its opt load the plugin.
#
# usage: versions.sh [VERSION...]   those that are here, without any
set -euo pipefail
cd "$(dirname "$0")/../../.."

debug=${CARGO_TARGET_DIR:-target}/debug
# The library of each version has the same name, so cargo takes one for the other.
forget() { rm -f "$debug"/{,deps/}libptxasw_llvm.so; }
trap forget EXIT
tested=0
# Of the library; the other packages have none of these names.
written=(every_mutation_is_caught operations_compute_what_they_mean patches_do_what_they_say the_named_pipelines write::tests::refusals)
versions=("$@")
[[ $# -gt 0 ]] || mapfile -t versions < <(sed -n 's/^llvm\([0-9]*\) = .*/\1/p' src/llvm/Cargo.toml)
for version in "${versions[@]}"; do
  [[ $version != 19 ]] || continue
  headers=$("llvm-config-$version" --includedir 2> /dev/null) && [[ -d $headers/llvm ]] || continue
  command -v "llc-$version" > /dev/null && command -v "clang++-$version" > /dev/null || continue
  echo "LLVM $version"
  forget
  test=(cargo test --quiet --no-default-features --features "ptxasw/default,ptxasw-llvm/llvm$version")
  "${test[@]}" --test llvm-golden -- --quiet --skip passes::
  "${test[@]}" --test llvm-suite -- clang:: arithmetic:: random:: results_stay
  # That LLVM computes what operations mean, and has what is written.
  "${test[@]}" --lib -- "${written[@]}"
  tested=$((tested + 1))
done
if [[ $tested == 0 ]]; then
  echo "skipped: no LLVM ${*:-15 to 23 but 19} with its headers and clang"
  [[ -z ${CI:-} ]]
fi
