#!/usr/bin/env bash
# Cargo for maturin, where the program is built already: all packages of one build have the same program. It answers
# `cargo rustc` with the message that a build ends with; everything else is cargo's.
set -euo pipefail
[[ $1 == rustc ]] || exec "$BUILT_CARGO" "$@"

root=$(realpath "$(dirname "$0")/../..")
id=$("$BUILT_CARGO" pkgid --manifest-path "$root/Cargo.toml")
cat << EOF | tr -d '\n'
{"reason":"compiler-artifact","package_id":"$id","manifest_path":"$root/Cargo.toml",
"target":{"kind":["bin"],"crate_types":["bin"],"name":"ptxasw","src_path":"$root/src/main.rs","edition":"2024","doc":true,"doctest":false,"test":true},
"profile":{"opt_level":"3","debuginfo":0,"debug_assertions":false,"overflow_checks":false,"test":false},
"features":[],"filenames":["$BUILT_PROGRAM"],"executable":"$BUILT_PROGRAM","fresh":true}
EOF
echo
