#!/usr/bin/env bash
# Makes the Python wheel of a program that is built already: the program, its libraries, Z3's library and the module `ptxasw`.
# usage: wheel.sh PROGRAMS FOLDER      PROGRAMS is target/dist; the wheel goes to FOLDER
# PACKAGE_TARGET is Rust's name of another kind of machine that the programs are for.
set -euo pipefail
built=$(realpath "$1") folder=$(realpath -m "$2")
cd "$(dirname "$0")/../.."

target=${PACKAGE_TARGET:-}
strip=${target:+${target%%-*}-linux-gnu-}strip
made=target/wheel
mkdir -p "$made/data/data/lib/ptxasw"
"$strip" -o "$made/ptxasw" "$built/ptxasw"
# `cargo test` leaves libraries among what programs are linked of.
record=$built/libptxasw_record.so
[[ -e $record ]] || record=$built/deps/libptxasw_record.so
"$strip" -o "$made/data/data/lib/ptxasw/libptxasw_record.so" "$record"
# The library that this host links with is the one that travels.
documents=$made/data/data/share/doc/ptxasw
mkdir -p "$documents"
cp /usr/share/doc/libz3-4/copyright "$documents/libz3.copyright"
cp -L "$(pkg-config --variable=libdir z3)/libz3.so.4" "$made/data/data/lib/ptxasw/"

maturin=$(realpath "${PTXASW_TOOLCHAIN:-target/toolchain}")/bin/maturin
[[ -x $maturin ]] || maturin=maturin
export BUILT_CARGO=${CARGO:-cargo} BUILT_PROGRAM=$PWD/$made/ptxasw CARGO=$PWD/src/python/built.sh
cd src/python
"$maturin" build --quiet ${target:+--target "$target"} --out "$folder"
