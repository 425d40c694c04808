#!/usr/bin/env bash
# Makes the archive of a release: programs that are built already, their libraries, Z3's library, manual pages and completions, to be
# unpacked anywhere. `cargo binstall` takes the program from it (`package.metadata.binstall` in Cargo.toml names its parts).
# usage: archive.sh PROGRAMS FOLDER      PROGRAMS is target/dist; ptxasw-VERSION-TARGET.tar.gz goes to FOLDER
# PACKAGE_LLVM names the other versions of LLVM that there are programs for. PACKAGE_TARGET is Rust's name of another kind of machine
# that the programs are for, PACKAGE_RUNNER what runs them here. Where LLVM's part is not built it is left out.
set -euo pipefail
built=$(realpath "$1") folder=$(realpath -m "$2")
cd "$(dirname "$0")/../.."

target=${PACKAGE_TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
strip=${PACKAGE_TARGET:+${PACKAGE_TARGET%%-*}-linux-gnu-}strip
version=$(${PACKAGE_RUNNER:-} "$built/ptxasw" --version | head -1 | cut -d' ' -f2)
name=ptxasw-$version-$target
made=target/archive
rm -rf "$made"
root=$made/$name
mkdir -p "$root"/{bin,lib/ptxasw,share/completions}
programs=(ptxasw) libraries=(libptxasw_record.so)
if [[ -e $built/ptxasw-llvm ]]; then
  programs+=(ptxasw-llvm) libraries+=(libptxasw_llvm.so)
fi
for other in ${PACKAGE_LLVM:-}; do
  programs+=("ptxasw-llvm-$other") libraries+=("libptxasw_llvm-$other.so")
done
for program in "${programs[@]}"; do
  "$strip" -o "$root/bin/$program" "$built/$program"
done
# `cargo test` leaves libraries among what programs are linked of.
for library in "${libraries[@]}"; do
  file=$built/$library
  [[ -e $file ]] || file=$built/deps/$library
  "$strip" -o "$root/lib/ptxasw/$library" "$file"
done
# The library that this host links with is the one that travels.
cp -L "$(pkg-config --variable=libdir z3)/libz3.so.4" "$root/lib/ptxasw/"
cp /usr/share/doc/libz3-4/copyright "$root/lib/ptxasw/libz3.copyright"
${PACKAGE_RUNNER:-} "$root/bin/ptxasw" man "$root/share/man/man1"
for shell in bash zsh fish; do
  ${PACKAGE_RUNNER:-} "$root/bin/ptxasw" completions "$shell" > "$root/share/completions/ptxasw.$shell"
done
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$root/"
mkdir -p "$folder"
# Equal programs give equal bytes.
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$made" -cf - "$name" | gzip -9n > "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
