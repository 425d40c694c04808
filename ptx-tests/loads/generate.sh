#!/usr/bin/env bash
# Regenerates openacc/*.gcc.ptx from openacc/src by GCC's offloading compiler. `make kernels` calls it.
#
# usage: generate.sh [NAME...]      all sources, or those with these base names
#
# A source's leading comment lines `// ptxasw:` and `// launch:` are copied to the head of its PTX. GCC hands over one
# pointer, to the addresses of arrays and of scalars: `&{f64[100],i32[1]:value=100}`, the last scalar first. Expectations at the end of a file
# are kept; `make bless` renews them, and finds an empty block where a new file says `// ptxasw: remarks`.
set -euo pipefail
cd "$(dirname "$0")/openacc"

GCC=${GCC:-gcc-12}
only=" $* "
src=$PWD/src
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$GCC" -v 2>&1 | grep -q 'OFFLOAD_TARGET_NAMES=.*nvptx' && [[ -d $("$GCC" -print-file-name=accel/nvptx-none) ]] || {
  echo "generate.sh: GCC's offloading compiler (gcc-12-offload-nvptx) is missing; its files stay as they are" >&2
  exit 0
}

for source in "$src"/*_acc.c; do
  name=$(basename "$source" _acc.c)
  [[ $only == "  " || $only == *" ${name}_acc "* ]] || continue
  # What the linker of the target gets first is the module of the source, then libraries.
  (cd "$work" && rm -f ./* &&
    "$GCC" -O2 -fopenacc -foffload=nvptx-none -foffload-options="-save-temps -misa=sm_80 -mptx=7.0" -save-temps -shared -fPIC \
      "$source" -o x.so 2> /dev/null && sed -z '1!d' ./*.mkoffload | tr -d '\0' > made.ptx)
  to=$name.gcc.ptx
  expected=
  if [[ -e $to ]]; then
    expected=$(sed -n '/^\/\/ expect:$/,$p' "$to")
  elif grep -q '^// ptxasw: remarks' "$source"; then
    expected="// expect:"
  fi
  { sed -n -e '\,^//,!q' -e '\,^// \(ptxasw\|launch\):,p' "$source"
    cat "$work/made.ptx"
    [[ -z $expected ]] || echo "$expected"
  } > "$work/installed"
  mv "$work/installed" "$to"
  echo "ptx-tests/loads/openacc/$to"
done
