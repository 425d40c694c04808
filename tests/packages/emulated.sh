#!/usr/bin/env bash
# Runs a test that is built for 64-bit Arm: under qemu-user, as the program that it calls, which a kernel without `binfmt_misc` does
# not start by itself.
# usage: emulated.sh TEST [WORD...]
set -euo pipefail
program=$(realpath "$(dirname "$1")/../ptxasw")
if [[ $(head -c 2 "$program") != '#!' ]]; then
  rm -f "$program.emulated"
  mv "$program" "$program.emulated"
  printf '#!/bin/sh\nexec qemu-aarch64 -0 "$0" "%s.emulated" "$@"\n' "$program" > "$program"
  chmod +x "$program"
fi
exec qemu-aarch64 "$@"
