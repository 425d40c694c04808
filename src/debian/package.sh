#!/usr/bin/env bash
# Makes the Debian packages `ptxasw`, `ptxasw-llvm` and, for other versions of LLVM, `ptxasw-llvm-16`, of programs that are built already.
# usage: package.sh PROGRAMS FOLDER [WORD...]      PROGRAMS is target/dist; the packages go to FOLDER; words are cargo-deb's
# PACKAGE_LLVM names the other versions of LLVM that there are packages for. PACKAGE_TARGET is Rust's name of another kind of machine that the programs are for, PACKAGE_RUNNER what runs them here. Where LLVM's part is not
# built there is no package of it.
set -euo pipefail
built=$(realpath "$1") folder=$(realpath -m "$2")
shift 2
cd "$(dirname "$0")/../.."

target=${PACKAGE_TARGET:-}
strip=${target:+${target%%-*}-linux-gnu-}strip
# What the manifests name.
made=target/debian
rm -rf "$made"
mkdir -p "$made/completions"
${PACKAGE_RUNNER:-} "$built/ptxasw" man "$made/man"
gzip -9n "$made"/man/*
for shell in bash zsh fish; do
  ${PACKAGE_RUNNER:-} "$built/ptxasw" completions "$shell" > "$made/completions/$shell"
done
# `cargo test` leaves libraries among what programs are linked of.
packages=("--package ptxasw")
parts=(ptxasw libptxasw_record.so)
if [[ -e $built/ptxasw-llvm ]]; then
  packages+=("--package ptxasw-llvm")
  parts+=(ptxasw-llvm libptxasw_llvm.so)
fi
for version in ${PACKAGE_LLVM:-}; do
  packages+=("--package ptxasw-llvm --variant llvm$version")
  parts+=("ptxasw-llvm-$version" "libptxasw_llvm-$version.so")
done
for part in "${parts[@]}"; do
  file=$built/$part
  [[ -e $file ]] || file=$built/deps/$part
  "$strip" -o "$made/$part" "$file"
done

tool=target/tools/bin/cargo-deb
[[ -x $tool ]] || tool=cargo-deb
for package in "${packages[@]}"; do
  # shellcheck disable=SC2086 # Words, not one.
  "$tool" --quiet --no-build --no-strip ${target:+--target "$target"} $package --output "$folder" "$@"
done
