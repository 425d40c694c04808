#!/usr/bin/env bash
# Compiler caches and distributed builds: sccache, its scheduler and one build
# server on loopback, nvcc through `ptxasw shim`. Needs root and bubblewrap.
#
# SOAK_DIR   where everything is made (default target/soak/sccache)
# SOAK_SIZE  how many sources are compiled (20)
# SOAK_KERNELS  how many kernels each has (1)
# SEED       what makes the sources of one run others than those of another (1)
# PTXASW     the program (default target/release/ptxasw, which is built)
#
# Prints one line for each check; the exit code is 1 if one fails.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."

ROOT=$(pwd)
DIR=$(realpath -m "${SOAK_DIR:-target/soak/sccache}")
SIZE=${SOAK_SIZE:-20}
KERNELS=${SOAK_KERNELS:-1}
SEED=${SEED:-1}
RANDOM=$SEED
TOOLS=$ROOT/target/soak/tools
TOOLCHAIN=${PTXASW_TOOLCHAIN:-$ROOT/target/toolchain}
SCHEDULER=127.0.0.1:10600
SERVER=127.0.0.1:10501

skip() {
  echo "skipped: $*"
  [[ -z ${CI:-} ]] || exit 1
  exit 0
}
failed=0
check() { # WHAT COMMAND...
  local what=$1
  shift
  if "$@"; then echo "ok      $what"; else
    echo "FAILED  $what"
    failed=1
  fi
}

# --- tools ---------------------------------------------------------------------

nvcc=$(compgen -G "$TOOLCHAIN/lib/python3*/site-packages/nvidia/cu13/bin/nvcc" | head -1) || true
[[ -n $nvcc ]] || nvcc=$(command -v nvcc) || skip "no nvcc"
toolkit=$(dirname "$(dirname "$(realpath "$nvcc")")")
bwrap=$(command -v bwrap) || skip "no bubblewrap"
"$bwrap" --unshare-all --ro-bind / / true 2> /dev/null || skip "no bubblewrap that can make namespaces"
[[ $(id -u) == 0 ]] || skip "no root, which sccache's build server needs"

if [[ -z ${PTXASW:-} ]]; then
  cargo build --release --quiet --bin ptxasw --target-dir "$ROOT/target"
  PTXASW=$ROOT/target/release/ptxasw
fi
# The build server is not in the default features.
if ! [[ -x $TOOLS/bin/sccache-dist ]]; then
  cargo install --quiet --locked --no-default-features --features dist-client,dist-server --root "$TOOLS" sccache
fi
export PATH="$TOOLS/bin:$PATH"
# Settings of the user's own would change what is tested.
for name in ${!PTXASW_*} ${!SCCACHE_*}; do [[ $name == PTXASW_TOOLCHAIN ]] || unset "$name"; done

rm -rf "$DIR"
mkdir -p "$DIR"
cd "$DIR"
export SCCACHE_CONF=$DIR/client.toml SCCACHE_SERVER_PORT=10700 SCCACHE_IDLE_TIMEOUT=0
# No cache folder: as on a build server, everything is unpacked into memory.
export XDG_CACHE_HOME=$DIR/none

pids=()
finish() {
  sccache --stop-server > /dev/null 2>&1 || true
  [[ ${#pids[@]} == 0 ]] || kill "${pids[@]}" 2> /dev/null || true
}
trap finish EXIT

# --- sources and builds ---------------------------------------------------------

mkdir src
for ((i = 0; i < SIZE; i++)); do
  echo "// $SEED" > "src/k$i.cu"
  for ((kernel = 0; kernel < KERNELS; kernel++)); do
    cat >> "src/k$i.cu" << EOF
__global__ void k${SEED}_${i}_$kernel(float *__restrict__ out, const float *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - $((i + kernel + 2))) out[i] = in[i - 1] * $((RANDOM % 9 + 2)).0f + in[i] + in[i + 1] * $i.5f;
}
EOF
  done
done

# Making a bundle makes the cache folder as well.
shim() {
  "$PTXASW" shim "$DIR/shadow" --cuda-home "$toolkit" "$@" > /dev/null 2>> shim.log
  rm -rf "$XDG_CACHE_HOME"
}

PARALLEL=4
compiler=$DIR/shadow/bin/nvcc
# What a build makes, in a folder of its own. Without -O2 GCC leaves a `nop` more or less in host code that it preprocessed on
# another machine than it compiled on.
build() { # FOLDER [COMMAND...]
  local folder=$1 i start=$EPOCHREALTIME
  shift
  mkdir -p "$folder"
  for ((i = 0; i < SIZE; i++)); do
    echo "$i"
  done | xargs -P "$PARALLEL" -I{} "$@" "$compiler" -O2 -arch=sm_80 -c "src/k{}.cu" -o "$folder/k{}.o" 2>> "$folder.log" || return
  awk "BEGIN { printf \"time    $folder: %.1f s\\n\", $EPOCHREALTIME - $start }"
}

# The machine code of an object.
machine_code() { # FOLDER
  local i
  mkdir -p "$1/cubins"
  for ((i = 0; i < SIZE; i++)); do
    (cd "$1/cubins" && "$toolkit/bin/cuobjdump" -xelf all "../k$i.o" > /dev/null && mv -- *.sm_80.cubin "k$i") || return
  done
}
same_code() { diff -rq "$1/cubins" "$2/cubins" > /dev/null; }
same_objects() { diff -rq --exclude=cubins "$1" "$2" > /dev/null; }
all_differ() { # FOLDER FOLDER
  local i
  for ((i = 0; i < SIZE; i++)); do ! cmp -s "$1/cubins/k$i" "$2/cubins/k$i" || return; done
}
have_shuffles() { # FOLDER
  local i
  for ((i = 0; i < SIZE; i++)); do
    "$toolkit/bin/cuobjdump" -sass "$1/k$i.o" | grep -q SHFL || return
  done
}
figure() { # NAME: of sccache's own figures
  sccache --show-stats --stats-format json |
    python3 -c "import json, sys
s = json.load(sys.stdin)['stats'][sys.argv[1]]
counts = s.get('counts', s) if isinstance(s, dict) else s
print(sum(counts.values()) if isinstance(counts, dict) else counts)" "$1"
}
# Misses but of the call of nvcc as a whole, which sccache compiles anew for the host in distributed builds, with or without ptxasw.
device_misses() {
  sccache --show-stats --stats-format json |
    python3 -c "import json, sys
counts = json.load(sys.stdin)['stats']['cache_misses']['counts']
print(sum(count for kind, count in counts.items() if kind != 'CUDA'))"
}
client() { # [DISTRIBUTED]: starts sccache with an empty cache
  sccache --stop-server > /dev/null 2>&1 || true
  rm -rf objects
  export SCCACHE_DIR=$DIR/objects
  if [[ -n ${1:-} ]]; then
    cat > client.toml << EOF
[dist]
scheduler_url = "http://$SCHEDULER"
toolchains = []
cache_dir = "$DIR/client"
[dist.auth]
type = "token"
token = "client"
EOF
  else
    : > client.toml
  fi
  SCCACHE_LOG=warn SCCACHE_ERROR_LOG=$DIR/client.log sccache --start-server > /dev/null 2>&1
}
# Compiles everything with sccache; gives hits and misses.
cached() { # FOLDER
  sccache --zero-stats > /dev/null 2>&1
  build "$1" sccache
}

shim --profit always
build plain env
machine_code plain
check "$SIZE sources compiled without a cache have shuffles" have_shuffles plain
shim --profit always --wrapping R
build plain-other env
machine_code plain-other

# --- local cache ----------------------------------------------------------------

client
shim --profit always
cached local
machine_code local
check "sccache: machine code is that without a cache" same_code local plain
PTXASW_OFF=1 cached variable
check "sccache: a changed variable is a hit" test "$(figure cache_misses)" == 0
check "sccache: and the objects are the same" same_objects local variable
rm -f warned.log
PTXASW_OFF=1 shadow/bin/nvcc -arch=sm_80 -c src/k0.cu -o warned.o 2> warned.log
check "without a cache the variable is ignored with a warning" grep -q "warning: PTXASW_OFF is ignored" warned.log
shim --profit always --wrapping R
cached other
machine_code other
check "sccache: another bundle is $SIZE misses at least" test "$(figure cache_misses)" -ge "$SIZE"
check "sccache: no object of the other bundle" same_code other plain-other
check "sccache: all machine code differs" all_differ other local
shim --profit always
cached again
check "sccache: the first bundle, made again, is a hit" test "$(figure cache_misses)" == 0
check "sccache: and the objects are the first ones" same_objects again local

# --- distributed ----------------------------------------------------------------

key=$(sccache-dist auth generate-jwt-hs256-key)
token=$(sccache-dist auth generate-jwt-hs256-server-token --secret-key "$key" --server "$SERVER")
cat > scheduler.toml << EOF
public_addr = "$SCHEDULER"
[client_auth]
type = "token"
token = "client"
[server_auth]
type = "jwt_hs256"
secret_key = "$key"
EOF
cat > server.toml << EOF
cache_dir = "$DIR/toolchains"
public_addr = "$SERVER"
scheduler_url = "http://$SCHEDULER"
[builder]
type = "overlay"
build_dir = "$DIR/work"
bwrap_path = "$bwrap"
[scheduler_auth]
type = "jwt_token"
token = "$token"
EOF
export SCCACHE_NO_DAEMON=1
sccache-dist scheduler --config scheduler.toml > scheduler.log 2>&1 &
pids+=($!)
sleep 2
SCCACHE_LOG=info sccache-dist server --config server.toml > server.log 2>&1 &
pids+=($!)
unset SCCACHE_NO_DAEMON
# The server reports to the scheduler every half minute.
for _ in $(seq 60); do
  client distributed
  ! sccache --dist-status | grep -q '"num_servers":1' || break
  sleep 1
done
check "the scheduler has a build server" grep -q '"num_servers":1' <(sccache --dist-status)

# A build server of two cores refuses some jobs of a parallel build, which are then done here.
PARALLEL=1
distributed() { # FOLDER EXPECTED
  client distributed
  cached "$1"
  machine_code "$1"
  local done failures
  done=$(figure dist_compiles) failures=$(figure dist_errors)
  check "distributed: $done jobs, none failed" test "$done" -ge "$SIZE" -a "$failures" == 0
  check "distributed: machine code is that of a local build" same_code "$1" "$2"
}
shim --profit always
distributed far plain
check "distributed: objects are those of a local build with sccache" same_objects far local
cached far-again
check "distributed: all device code of the second build comes from the cache" test "$(device_misses)" == 0
shim --profit always --wrapping R
distributed far-other plain-other
check "distributed: objects are those of a local build with sccache" same_objects far-other other
check "distributed: all machine code differs" all_differ far far-other
# For the time: the same without ptxasw.
compiler=$toolkit/bin/nvcc
client distributed
cached far-bare

exit $failed
