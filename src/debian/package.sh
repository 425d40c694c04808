#!/usr/bin/env bash
# Makes the Debian packages `ptxasw` and `ptxasw-llvm` of programs that are built already.
# usage: package.sh PROGRAMS FOLDER [WORD...]      PROGRAMS is target/release; the packages go to FOLDER; words are cargo-deb's
set -euo pipefail
built=$(realpath "$1") folder=$(realpath -m "$2")
shift 2
cd "$(dirname "$0")/../.."

# What the manifests name.
made=target/debian
rm -rf "$made"
mkdir -p "$made/completions"
"$built/ptxasw" man "$made/man"
gzip -9n "$made"/man/*
for shell in bash zsh fish; do
  "$built/ptxasw" completions "$shell" > "$made/completions/$shell"
done
# `cargo test` leaves libraries among what programs are linked of.
for part in ptxasw ptxasw-llvm libptxasw_llvm.so libptxasw_record.so; do
  file=$built/$part
  [[ -e $file ]] || file=$built/deps/$part
  strip -o "$made/$part" "$file"
done

tool=target/tools/bin/cargo-deb
[[ -x $tool ]] || tool=cargo-deb
for package in ptxasw ptxasw-llvm; do
  "$tool" --quiet --no-build --no-strip --package "$package" --output "$folder" "$@"
done
