#!/usr/bin/env bash
# For hosts with 64-bit Arm processors (Grace): cross-compiles the part that reads PTX, makes its archive, its wheel and its Debian package, and runs
# tests of it under qemu-user; `ptxas` and the like are those of this machine. LLVM's part is not built. Of `command` five tests fail:
# they call LLVM's part, or let the program call itself, which takes a kernel that starts programs for Arm (`binfmt_misc`).
# usage: aarch64.sh FOLDER [TEST...]      the packages go to FOLDER; TEST is `golden` or a module of tests/suite.rs (golden verify)
set -euo pipefail
folder=$(realpath -m "$1")
shift
tests=("$@")
[[ ${#tests[@]} -gt 0 ]] || tests=(golden verify)
cd "$(dirname "$0")/../.."

if [[ $(id -u) == 0 ]] && ! command -v qemu-aarch64 > /dev/null; then
  dpkg --add-architecture arm64
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libz3-dev:arm64 qemu-user > /dev/null
fi
export PACKAGE_TARGET=aarch64-unknown-linux-gnu PACKAGE_RUNNER=qemu-aarch64
! command -v rustup > /dev/null || rustup -q target add "$PACKAGE_TARGET"

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$PWD/tests/packages/emulated.sh
# GNU's linker would take Z3's library for one that is needed at the start. Rust brings another one along.
linker=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/gcc-ld
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS="-C link-arg=-fuse-ld=lld -C link-arg=-B$linker"
export PKG_CONFIG_ALLOW_CROSS=1 PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig
export PTXASW_TOOLCHAIN=${PTXASW_TOOLCHAIN:-$PWD/target/toolchain}

cargo build --profile dist --target "$PACKAGE_TARGET" -p ptxasw -p ptxasw-record
src/archive/archive.sh "target/$PACKAGE_TARGET/dist" "$folder"
src/python/wheel.sh "target/$PACKAGE_TARGET/dist" "$folder"
src/debian/package.sh "target/$PACKAGE_TARGET/dist" "$folder"
for test in "${tests[@]}"; do
  words=(--test suite "$test::" -- --skip "::$test::")
  [[ $test != golden ]] || words=(--test golden)
  cargo test --quiet --target "$PACKAGE_TARGET" -p ptxasw "${words[@]}"
done
