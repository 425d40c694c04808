#!/usr/bin/env bash
# Builds the part that reads LLVM IR for another version of LLVM: `ptxasw-llvm-16` and `libptxasw_llvm-16.so` beside the programs of
# a release.
# usage: version.sh VERSION      15 to 23; `llvm-config-VERSION` says where it is
set -euo pipefail
version=${1:?VERSION is missing: 15 to 23}
cd "$(dirname "$0")/../.."

release=${CARGO_TARGET_DIR:-target}/dist
# The library of each version has the same name, so cargo takes one for the other.
forget() { rm -f "$release"/{,deps/}libptxasw_llvm.so; }
trap forget ERR INT TERM
forget
cargo build --profile dist --no-default-features --features "ptxasw/default,ptxasw-llvm/llvm$version"
cp "$release/ptxasw-llvm" "$release/ptxasw-llvm-$version"
cp "$release/libptxasw_llvm.so" "$release/libptxasw_llvm-$version.so"
forget
cargo build --profile dist --quiet
