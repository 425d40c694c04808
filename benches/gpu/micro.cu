// What memory and shuffle instructions cost on the GPU at hand.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart static -o micro micro.cu && ./micro figures.json
//
// Throughputs are in cycles of one SM per instruction of a warp, or per record or group where a name lists several.
// Prints Markdown; all figures go to the file given. Every figure is the median of its samples, with the least and the
// largest. Exit code 2 when something fails. Needs 9 GB on the device and takes a few seconds.
//
// Instructions under measurement are inline PTX with immediate offsets. `asm volatile` stops only the front end: ptxas
// still removes a load whose result is unused, merges two of one address, and hoists one whose address is invariant. So
// all results are combined after a batch (LOP3, one for two words), offsets in a batch differ, and the address grows by a
// step that only the host knows to be zero.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using Word = unsigned;
using Long = unsigned long long;
#define DEVICE __device__ __forceinline__

static void check(cudaError_t code, const char *call, int line) {
  if (code == cudaSuccess) return;
  fprintf(stderr, "micro: line %d: %s: %s (%s)\n", line, call, cudaGetErrorString(code), cudaGetErrorName(code));
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) fprintf(stderr, "micro: no usable GPU or driver\n");
  exit(2);
}
#define CHECK(call) check((call), #call, __LINE__)

// --- figures -------------------------------------------------------------------------------------------------------

struct Figure {
  std::string name;
  double value;
  const char *unit;
  double least, largest;
};

static Figure median(std::string name, const char *unit, std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {std::move(name), samples[samples.size() / 2], unit, samples.front(), samples.back()};
}

struct Report {
  const char *path = nullptr;
  std::string gpu;
  int sms = 0, clock = 0;
  std::vector<Figure> figures;

  void row(const Figure &f) {
    printf("| %s | %.4g | %.4g | %.4g | %s |\n", f.name.c_str(), f.value, f.least, f.largest, f.unit);
    fflush(stdout);
    figures.push_back(f);
  }
  // Called after every group, so that a failure later on loses only what came after.
  void write() const {
    if (!path) return;
    FILE *file = fopen(path, "w");
    bool good = file != nullptr;
    if (file) {
      fprintf(file, "{\"gpu\":\"%s\",\"sms\":%d,\"clock_khz\":%d,\"figures\":[", gpu.c_str(), sms, clock);
      const char *comma = "";
      for (const Figure &f : figures) {
        fprintf(file, "%s\n{\"name\":\"%s\",\"value\":%.9g,\"unit\":\"%s\",\"least\":%.9g,\"largest\":%.9g}", comma,
                f.name.c_str(), f.value, f.unit, f.least, f.largest);
        comma = ",";
      }
      fprintf(file, "\n]}\n");
      good = !ferror(file);
      good = fclose(file) == 0 && good;
    }
    if (good) return;
    fprintf(stderr, "micro: cannot write %s\n", path);
    exit(2);
  }
};
static Report report;

constexpr int SAMPLES = 15;

// --- instructions --------------------------------------------------------------------------------------------------

template <int N> struct Index { static constexpr int value = N; };
template <class F, int... I> DEVICE void each(F f, std::integer_sequence<int, I...>) {
  (f(Index<I>{}), ...);
}
// f(0), ..., f(N - 1), each index a constant: `AT(i)` can be an immediate.
template <int N, class F> DEVICE void each(F f) { each(f, std::make_integer_sequence<int, N>{}); }
#define AT(i) decltype(i)::value

// Instructions, `.ca` by default as compilers have it: a written `.ca` becomes LDG.STRONG.SM instead of LDG.
#define ACCESS(NAME, WORDS, LOAD, STORE, ...)                                                                          \
  struct NAME {                                                                                                        \
    static constexpr int words = WORDS;                                                                                \
    template <int O> static DEVICE void load(Word *v, const char *at) {                                                \
      asm volatile(LOAD : __VA_ARGS__ : "l"(at), "n"(O));                                                              \
    }                                                                                                                  \
    template <int O> static DEVICE void store(Word v, char *at) {                                                      \
      asm volatile(STORE ::"l"(at), "n"(O), "r"(v));                                                                   \
    }                                                                                                                  \
  };
#define R(i) "=r"(v[i])
ACCESS(B32, 1, "ld.global.u32 %0, [%1+%2];", "st.global.u32 [%0+%1], %2;", R(0))
ACCESS(Ca, 1, "ld.global.ca.u32 %0, [%1+%2];", "", R(0))
ACCESS(Nc, 1, "ld.global.nc.u32 %0, [%1+%2];", "", R(0))
ACCESS(U8, 1, "ld.global.u8 %0, [%1+%2];", "", R(0))
ACCESS(V2, 2, "ld.global.v2.u32 {%0, %1}, [%2+%3];", "st.global.v2.u32 [%0+%1], {%2, %2};", R(0), R(1))
ACCESS(B64, 2, "{ .reg .b64 d; ld.global.b64 d, [%2+%3]; mov.b64 {%0, %1}, d; }", "", R(0), R(1))
ACCESS(V4, 4, "ld.global.v4.u32 {%0, %1, %2, %3}, [%4+%5];", "st.global.v4.u32 [%0+%1], {%2, %2, %2, %2};", R(0), R(1),
       R(2), R(3))

enum Mode { UP, DOWN, IDX, BFLY };
template <int M> DEVICE Word shuffle(Word v, Word lane) {
  Word d;
  if (M == UP) asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=r"(d) : "r"(v));
  if (M == DOWN) asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(d) : "r"(v));
  if (M == IDX) asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(d) : "r"(v), "r"(lane));
  if (M == BFLY) asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(d) : "r"(v));
  return d;
}

// A load under a predicate; elsewhere `v` stays.
template <int O> DEVICE void load_if(Word flag, Word &v, const char *at) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.u32 %0, [%1+%2]; }"
               : "+r"(v) : "l"(at), "n"(O), "r"(flag));
}

DEVICE long long now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

// --- throughput of one multiprocessor ------------------------------------------------------------------------------

// Where the accesses of a case are: byte distances between lanes and warps, a shift of all, the lanes that take part.
struct AccessPattern {
  int lane, shift;
  Word active;
  int warp;
};
struct Thread {
  char *at;
  Word shared, lane, active, acc;
  Word v[16]; // chains that go on from batch to batch
};

constexpr int WARPS = 32, ROUNDS = 64;
// Between the records of a batch: no less than a warp's accesses with 32 bytes between lanes.
constexpr int STEP = 1024;

// Operations have `records`, how many are done in a batch, and `batch`. About 16 to 32 words are in flight per thread: with
// 32 warps that covers the latency many times over, and 64 registers suffice.

// Records of M loads that are GAP bytes apart.
template <class L, int M, int GAP, int N> struct Read {
  static constexpr int records = N;
  static DEVICE void batch(Thread &t) {
    Word v[N * M * L::words];
    each<N * M>([&](auto i) {
      L::template load<AT(i) / M * STEP + AT(i) % M * GAP>(v + AT(i) * L::words, t.at);
    });
    each<N * M * L::words>([&](auto i) { t.acc ^= v[AT(i)]; });
  }
};
template <class S, int M, int GAP, int N> struct Write {
  static constexpr int records = N;
  static DEVICE void batch(Thread &t) {
    each<N * M>([&](auto i) { S::template store<AT(i) / M * STEP + AT(i) % M * GAP>(t.acc, t.at); });
  }
};
// Some lanes only, by a predicate. Without the zeros ptxas makes branches.
struct ReadSome {
  static constexpr int records = 16;
  static DEVICE void batch(Thread &t) {
    Word v[records] = {};
    each<records>([&](auto i) { load_if<AT(i) * STEP>(t.active, v[AT(i)], t.at); });
    each<records>([&](auto i) { t.acc ^= v[AT(i)]; });
  }
};
struct ReadShared {
  static constexpr int records = 16;
  static DEVICE void batch(Thread &t) {
    Word v[records];
    each<records>([&](auto i) {
      asm volatile("ld.shared.u32 %0, [%1+%2];" : "=r"(v[AT(i)]) : "r"(t.shared), "n"(AT(i) * 128));
    });
    each<records>([&](auto i) { t.acc ^= v[AT(i)]; });
  }
};
template <int M> struct Shuffles {
  static constexpr int records = 16;
  static DEVICE void batch(Thread &t) {
    each<records>([&](auto i) { t.v[AT(i)] = shuffle<M>(t.v[AT(i)], t.lane ^ 1); });
  }
};
// An aligned load and N shuffles of its result.
template <int N> struct ReadShuffle {
  static constexpr int records = 8;
  static DEVICE void batch(Thread &t) {
    Word v[records];
    each<records>([&](auto i) { B32::load<AT(i) * STEP>(v + AT(i), t.at); });
    each<records>([&](auto i) {
      t.acc ^= v[AT(i)] ^ shuffle<UP>(v[AT(i)], 0);
      if (N == 2) t.acc ^= shuffle<DOWN>(v[AT(i)], 0);
    });
  }
};
// The same with a corner load, under a predicate, for what the first and last lanes lack, and a select. `ONE`: one load of
// two lanes instead of one for each.
template <int N, bool ONE> struct Corners {
  static constexpr int records = 8;
  static DEVICE void batch(Thread &t) {
    Word v[records];
    const bool first = t.lane == 0, last = t.lane == 31;
    const char *ends = t.at + (first ? -4 : 4);
    each<records>([&](auto i) { B32::load<AT(i) * STEP>(v + AT(i), t.at); });
    each<records>([&](auto i) {
      constexpr int k = AT(i), o = k * STEP;
      Word &left = t.v[k * 2], &right = ONE ? left : t.v[k * 2 + 1];
      if (ONE) load_if<o>(first | last, left, ends);
      else load_if<o - 4>(first, left, t.at);
      if (N == 2 && !ONE) load_if<o + 4>(last, right, t.at);
      const Word up = shuffle<UP>(v[k], 0);
      t.acc ^= v[k] ^ (first ? left : up);
      if (N == 2) {
        const Word down = shuffle<DOWN>(v[k], 0);
        t.acc ^= last ? right : down;
      }
    });
  }
};
// With a comparison each, lest they be merged.
#define VOTES(NAME, VOTE)                                                                                              \
  struct NAME {                                                                                                        \
    static constexpr int records = 16;                                                                                 \
    static DEVICE void batch(Thread &t) {                                                                              \
      each<records>([&](auto i) {                                                                                      \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; " VOTE "; }" : "+r"(t.v[AT(i)]));                          \
      });                                                                                                              \
    }                                                                                                                  \
  };
VOTES(Ballot, "vote.sync.ballot.b32 %0, p, 0xffffffff")
VOTES(Active, "@p activemask.b32 %0")

// The first pass warms the caches of data and instructions; what it takes is overwritten by the second.
template <class Op>
__global__ void __launch_bounds__(WARPS * 32)
    throughput(char *base, AccessPattern place, long long step, Word *sink, long long *times) {
  __shared__ Word table[512];
  const Word warp = threadIdx.x / 32;
  if (threadIdx.x < 512) table[threadIdx.x] = threadIdx.x;
  Thread t;
  t.lane = threadIdx.x % 32;
  t.at = base + place.shift + (int)t.lane * place.lane + (int)warp * place.warp;
  t.shared = (Word)__cvta_generic_to_shared(table) + t.lane * 4 + (Word)step;
  t.active = place.active >> t.lane & 1;
  t.acc = threadIdx.x;
  each<16>([&](auto i) { t.v[AT(i)] = threadIdx.x + AT(i); });
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    const long long from = now();
#pragma unroll 1
    for (int round = 0; round < ROUNDS; ++round) {
      Op::batch(t);
      t.at += step;
      t.shared += (Word)step;
    }
    const long long until = now();
    if (t.lane == 0) times[warp * 2] = from, times[warp * 2 + 1] = until;
  }
  each<16>([&](auto i) { t.acc += t.v[AT(i)]; });
  sink[threadIdx.x] = t.acc;
}

struct Memory {
  char *a, *b; // SIZE and PAD bytes each
  Word *sink;
  long long *times;
  cudaEvent_t from, until;
};
constexpr size_t SIZE = 4ull << 30, PAD = 1 << 20;

struct Case {
  const char *name;
  void (*kernel)(char *, AccessPattern, long long, Word *, long long *);
  AccessPattern place;
  int records;
};
template <class Op> Case run(const char *name, int lane = 4, int shift = 0, Word active = ~0u, int warp = 0) {
  return {name, throughput<Op>, {lane, shift, active, warp}, Op::records};
}
// Each warp has lines of its own to write.
template <class Op> Case store(const char *name, int lane, int shift = 0) {
  return run<Op>(name, lane, shift, ~0u, 32 * STEP);
}

static void throughputs(const Memory &m) {
  const Case cases[] = {
      // name, distance of lanes, shift, active lanes
      run<Read<B32, 1, 0, 16>>("load: 4 B, aligned"),
      run<Read<Ca, 1, 0, 16>>("load: 4 B, aligned, written .ca"),
      run<Read<B32, 1, 0, 16>>("load: 4 B, +4", 4, 4),
      run<Read<B32, 1, 0, 16>>("load: 4 B, -4", 4, -4),
      run<Read<B32, 1, 0, 16>>("load: 4 B, +16", 4, 16),
      run<Read<B32, 1, 0, 16>>("load: 4 B, +32", 4, 32),
      run<Read<B32, 1, 0, 16>>("load: 4 B, +64", 4, 64),
      run<ReadSome>("load: 4 B, predicated, all lanes"),
      run<ReadSome>("load: 4 B, predicated, lane 0", 4, 0, 1u),
      run<ReadSome>("load: 4 B, predicated, lane 31", 4, 0, 1u << 31),
      run<ReadSome>("load: 4 B, predicated, lanes 0 and 31", 4, 0, 1u | 1u << 31),
      run<ReadSome>("load: 4 B, predicated, lanes 0 and 1", 4, 0, 3u),
      run<ReadSome>("load: 4 B, predicated, no lane", 4, 0, 0u),
      run<Read<B32, 1, 0, 16>>("load: 4 B, same address", 0),
      run<Read<B32, 1, 0, 16>>("load: 4 B, stride 8", 8),
      run<Read<B32, 1, 0, 16>>("load: 4 B, stride 12", 12),
      run<Read<B32, 1, 0, 16>>("load: 4 B, stride 16", 16),
      run<Read<B32, 1, 0, 16>>("load: 4 B, stride 32", 32),
      run<Read<V2, 1, 0, 8>>("load: v2, aligned", 8),
      run<Read<V2, 1, 0, 8>>("load: v2, +8", 8, 8),
      run<Read<B64, 1, 0, 8>>("load: b64, aligned", 8),
      run<Read<B64, 1, 0, 8>>("load: b64, +8", 8, 8),
      run<Read<V4, 1, 0, 8>>("load: v4, aligned", 16),
      run<Read<V4, 1, 0, 8>>("load: v4, +16", 16, 16),
      run<Read<V2, 1, 0, 8>>("load: v2, same address", 0),
      run<Read<V4, 1, 0, 8>>("load: v4, same address", 0),
      run<Read<B32, 4, 4, 4>>("load: 4 x 4 B, neighbours, same addresses", 0),
      run<Read<B32, 2, 4, 8>>("load: record of 8 B, 2 x 4 B", 8),
      run<Read<B32, 4, 4, 4>>("load: record of 16 B, 4 x 4 B", 16),
      run<Read<V2, 2, 8, 4>>("load: record of 16 B, 2 x v2", 16),
      run<Read<B32, 8, 4, 2>>("load: record of 32 B, 8 x 4 B", 32),
      run<Read<V4, 2, 16, 4>>("load: record of 32 B, 2 x v4", 32),
      run<Read<U8, 1, 0, 16>>("load: 1 B, consecutive", 1),
      run<Read<U8, 4, 1, 4>>("load: record of 4 B, 4 x 1 B", 4),
      run<Read<Nc, 1, 0, 16>>("load: nc 4 B, aligned"),
      run<Read<Nc, 1, 0, 16>>("load: nc 4 B, +4", 4, 4),
      run<ReadShared>("load: shared 4 B, aligned"),
      store<Write<B32, 1, 0, 16>>("store: 4 B, aligned", 4),
      store<Write<B32, 1, 0, 16>>("store: 4 B, +4", 4, 4),
      store<Write<V2, 1, 0, 16>>("store: v2, aligned", 8),
      store<Write<V4, 1, 0, 16>>("store: v4, aligned", 16),
      store<Write<B32, 2, 4, 8>>("store: record of 8 B, 2 x 4 B", 8),
      store<Write<B32, 4, 4, 4>>("store: record of 16 B, 4 x 4 B", 16),
      run<Shuffles<UP>>("shuffle: up"),
      run<Shuffles<DOWN>>("shuffle: down"),
      run<Shuffles<IDX>>("shuffle: idx"),
      run<Shuffles<BFLY>>("shuffle: bfly"),
      run<ReadShuffle<1>>("mix: load, shuffle"),
      run<ReadShuffle<2>>("mix: load, 2 shuffles"),
      run<Read<B32, 2, -4, 8>>("mix: loads of x and x-4"),
      run<Corners<1, false>>("mix: load, shuffle, corner, select"),
      run<Read<B32, 3, 4, 5>>("mix: loads of x-4, x and x+4", 4, -4),
      run<Corners<2, false>>("mix: load, 2 shuffles, 2 corners, selects"),
      run<Corners<2, true>>("mix: load, 2 shuffles, 1 corner of both ends, selects"),
      run<Ballot>("vote: setp, ballot"),
      run<Active>("vote: setp, activemask"),
  };
  for (const Case &c : cases) {
    std::vector<double> samples;
    for (int sample = 0; sample < SAMPLES; ++sample) {
      c.kernel<<<1, WARPS * 32>>>(m.a + PAD / 2, c.place, 0, m.sink, m.times);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      long long t[WARPS * 2];
      CHECK(cudaMemcpy(t, m.times, sizeof t, cudaMemcpyDeviceToHost));
      long long from = t[0], until = t[1];
      for (int warp = 1; warp < WARPS; ++warp) {
        from = std::min(from, t[warp * 2]);
        until = std::max(until, t[warp * 2 + 1]);
      }
      samples.push_back((double)(until - from) / ((double)WARPS * ROUNDS * c.records));
    }
    report.row(median(c.name, "cycles/SM", samples));
  }
}

// --- latency -------------------------------------------------------------------------------------------------------

// A single cycle through `lines` (a power of two) lines of 128 bytes, by a linear congruence of full period.
__global__ void link(char *base, Word lines) {
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lines) *(char **)(base + (size_t)i * 128) = base + (size_t)((i * 1664525u + 1013904223u) & (lines - 1)) * 128;
}

#define LINK(NAME, T, ...)                                                                                             \
  struct NAME {                                                                                                        \
    static DEVICE void step(T &v, Word lane) { (void)lane; __VA_ARGS__; }                                              \
  };
LINK(ChaseL1, Long, asm volatile("ld.global.u64 %0, [%0];" : "+l"(v)))
LINK(ChaseL2, Long, asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(v)))
LINK(ChaseShared, Word, asm volatile("ld.shared.u32 %0, [%0];" : "+r"(v)))
LINK(ChainShuffle, Word, v = shuffle<IDX>(v, lane))
LINK(ChainAdd, float, asm volatile("add.f32 %0, %0, %1;" : "+f"(v) : "f"(__uint_as_float(lane))))

constexpr int LINKS = 16; // in a round
// Goes on where the launch before ended, so that a large ring never comes back to lines still in a cache.
template <class L, class T> __global__ void chain(T *state, int warm, int rounds, long long *times) {
  __shared__ Word table[32];
  table[threadIdx.x % 32] = (Word)__cvta_generic_to_shared(table + (threadIdx.x * 5 + 1) % 32);
  __syncthreads();
  T v = state[threadIdx.x];
  if (std::is_same<L, ChaseShared>::value) v = (T)__cvta_generic_to_shared(table);
  const Word lane = threadIdx.x ^ 1;
  long long from, until;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    const int n = pass ? rounds : warm;
    from = now();
#pragma unroll 1
    for (int round = 0; round < n; ++round) {
#pragma unroll
      for (int i = 0; i < LINKS; ++i) L::step(v, lane);
    }
    until = now();
  }
  state[threadIdx.x] = v;
  if (threadIdx.x == 0) *times = until - from;
}

template <class L, class T> void latency(const Memory &m, const char *name, int threads, T first, int warm, int rounds) {
  std::vector<double> samples;
  std::vector<T> start(threads, first);
  CHECK(cudaMemcpy(m.sink, start.data(), threads * sizeof(T), cudaMemcpyHostToDevice));
  for (int sample = 0; sample < SAMPLES; ++sample) {
    chain<L, T><<<1, threads>>>((T *)m.sink, sample == 0 ? warm : 2, rounds, m.times);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    long long cycles;
    CHECK(cudaMemcpy(&cycles, m.times, sizeof cycles, cudaMemcpyDeviceToHost));
    samples.push_back((double)cycles / ((double)rounds * LINKS));
  }
  report.row(median(name, "cycles", samples));
}

static void latencies(const Memory &m) {
  auto ring = [&](size_t bytes) {
    const Word lines = (Word)(bytes / 128);
    link<<<(lines + 127) / 128, 128>>>(m.a, lines);
    CHECK(cudaGetLastError());
    return (Long)m.a;
  };
  latency<ChaseL1>(m, "latency: L1, 4 KB", 1, ring(4 << 10), 4, 256);
  latency<ChaseL2>(m, "latency: L2, 8 MB", 1, ring(8 << 20), (8 << 20) / 128 / LINKS, 256);
  const Long large = ring(512 << 20);
  CHECK(cudaMemset(m.b, 0x3f, SIZE)); // drives the ring out of the L2
  latency<ChaseL2>(m, "latency: DRAM, 512 MB, with TLB misses", 1, large, 2, 128);
  latency<ChaseShared>(m, "latency: shared", 32, Word(0), 4, 256);
  latency<ChainShuffle>(m, "latency: shuffle idx", 32, Word(1), 4, 256);
  latency<ChainAdd>(m, "latency: add.f32", 32, 1.0f, 4, 256);
}

// --- whole device --------------------------------------------------------------------------------------------------

template <class F> static std::vector<double> milliseconds(const Memory &m, F launch) {
  std::vector<double> samples;
  for (int sample = -1; sample < SAMPLES; ++sample) { // the first is a rehearsal
    CHECK(cudaEventRecord(m.from));
    launch(sample + 1);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(m.until));
    CHECK(cudaEventSynchronize(m.until));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, m.from, m.until));
    if (sample >= 0) samples.push_back(ms);
  }
  return samples;
}
static Figure bandwidth(std::string name, double bytes, std::vector<double> samples) {
  for (double &s : samples) s = bytes / (s * 1e6);
  return median(std::move(name), "GB/s", samples);
}

constexpr int BLOCK = 128;

// M loads, GAP bytes apart, per thread. `mask` confines a large grid to a small buffer.
template <class L, int M, int GAP>
__global__ void __launch_bounds__(BLOCK) stream(const char *base, size_t mask, int lane, Word key, Word *sink) {
  constexpr int bytes = M * L::words * 4;
  const char *at = base + ((size_t)blockIdx.x * (BLOCK * bytes) & mask) + (int)threadIdx.x * lane;
  Word v[M * L::words], x = 0;
  each<M>([&](auto i) { L::template load<AT(i) * GAP>(v + AT(i) * L::words, at); });
  each<M * L::words>([&](auto i) { x ^= v[AT(i)]; });
  if (x == key) *sink = x; // never
}
template <class L> __global__ void __launch_bounds__(BLOCK) copy(const char *from, char *to) {
  constexpr int bytes = L::words * 4;
  const size_t at = ((size_t)blockIdx.x * BLOCK + threadIdx.x) * bytes;
  Word v[4];
  L::template load<0>(v, from + at);
  if (bytes == 4) *(Word *)(to + at) = v[0];
  else *(uint4 *)(to + at) = make_uint4(v[0], v[1], v[2], v[3]);
}

// M stores, GAP bytes apart, per thread.
template <class S, int M, int GAP> __global__ void __launch_bounds__(BLOCK) fill(char *base, int lane, Word key) {
  char *at = base + (size_t)blockIdx.x * (BLOCK * M * S::words * 4) + (int)threadIdx.x * lane;
  each<M>([&](auto i) { S::template store<AT(i) * GAP>(key, at); });
}

template <class L, int M, int GAP> void streams(const Memory &m, const char *name, int lane, int shift = 0) {
  const int blocks = (int)(SIZE / (BLOCK * M * L::words * 4));
  for (size_t size : {SIZE, (size_t)16 << 20}) {
    auto samples = milliseconds(m, [&](int) {
      stream<L, M, GAP><<<blocks, BLOCK>>>(m.a + shift, size - 1, lane, 0x12345678, m.sink);
    });
    const std::string where = size == SIZE ? "DRAM, 4 GB: read " : "L2, 16 MB: read ";
    report.row(bandwidth(where + name, (double)SIZE, samples));
  }
}
template <class L> void copies(const Memory &m, const char *name) {
  const int blocks = (int)(SIZE / (BLOCK * L::words * 4));
  report.row(bandwidth(name, 2.0 * SIZE, milliseconds(m, [&](int) { copy<L><<<blocks, BLOCK>>>(m.a, m.b); })));
}

template <class S, int M, int GAP> void fills(const Memory &m, const char *name, int lane) {
  const int blocks = (int)(SIZE / (BLOCK * M * S::words * 4));
  report.row(bandwidth(name, (double)SIZE, milliseconds(m, [&](int sample) {
               fill<S, M, GAP><<<blocks, BLOCK>>>(m.b, lane, (Word)sample);
             })));
}

static void bandwidths(const Memory &m) {
  streams<B32, 1, 0>(m, "4 B, 1 per thread", 4);
  streams<B32, 1, 0>(m, "4 B, 1 per thread, +4", 4, 4);
  streams<B32, 4, 4 * BLOCK>(m, "4 B, 4 per thread", 4);
  streams<B32, 4, 4 * BLOCK>(m, "4 B, 4 per thread, +4", 4, 4);
  streams<V4, 1, 0>(m, "v4, 1 per thread (records of 16 B)", 16);
  streams<B32, 4, 4>(m, "records of 16 B, 4 x 4 B", 16);
  copies<B32>(m, "DRAM, 4 + 4 GB: copy 4 B");
  copies<V4>(m, "DRAM, 4 + 4 GB: copy v4");
  fills<B32, 4, 4 * BLOCK>(m, "DRAM, 4 GB: write 4 B, 4 per thread", 4);
  fills<V4, 1, 0>(m, "DRAM, 4 GB: write v4, 1 per thread (records of 16 B)", 16);
  fills<B32, 4, 4>(m, "DRAM, 4 GB: write records of 16 B, 4 x 4 B", 16);
}

// --- bytes in flight -----------------------------------------------------------------------------------------------

// All blocks are resident at once, and take turns in pieces of K words per thread. `resident`: how many
// of them are on an SM, and the most that ever were.
template <int K> __global__ void __launch_bounds__(BLOCK) flight(const char *base, int pieces, Word *sink, Word *resident) {
  extern __shared__ Word unused[];
  if (threadIdx.x == 0) {
    Word sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    resident += sm % 1024 * 2;
    atomicMax(resident + 1, atomicAdd(resident, 1) + 1);
  }
  Word x = 0;
#pragma unroll 1
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const char *at = base + (size_t)piece * (BLOCK * 4 * K) + threadIdx.x * 4;
    Word v[K];
    each<K>([&](auto i) { B32::load<AT(i) * BLOCK * 4>(v + AT(i), at); });
    each<K>([&](auto i) { x ^= v[AT(i)]; });
  }
  if (x == 0x12345678) *sink = x + unused[0]; // never
  if (threadIdx.x == 0) atomicSub(resident, 1);
}

// `total` bytes of shared memory per SM, split among `blocks`, leave the rest of the SM's memory to the L1, which also holds
// what is in flight. The driver may set aside more than `percent`; then the size of the grid still bounds the blocks.
template <int K> Figure flights(const Memory &m, int blocks, int total, int percent, int reserved) {
  const size_t bytes = SIZE / 4, shared = total / blocks - reserved;
  CHECK(cudaFuncSetAttribute(flight<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
  CHECK(cudaFuncSetAttribute(flight<K>, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
  CHECK(cudaMemset(m.times, 0, 2048 * sizeof(Word)));
  auto samples = milliseconds(m, [&](int sample) { // each sample another quarter: nothing of it is left in the L2
    const int pieces = (int)(bytes / (BLOCK * 4 * K));
    flight<K><<<report.sms * blocks, BLOCK, shared>>>(m.a + sample % 4 * bytes, pieces, m.sink, (Word *)m.times);
  });
  Word resident[2048];
  CHECK(cudaMemcpy(resident, m.times, sizeof resident, cudaMemcpyDeviceToHost));
  int good = 0;
  for (int sm = 0; sm < 1024; ++sm) good += resident[sm * 2 + 1] == (Word)blocks;
  if (good != report.sms) fprintf(stderr, "micro: only %d SMs had %d blocks at once\n", good, blocks);
  const std::string name = "in flight: " + std::to_string(blocks * BLOCK / 32) + " warps/SM, " + std::to_string(K) +
                           " loads, " + std::to_string(total >> 10) + " KB shared";
  return bandwidth(name, (double)bytes, samples);
}

static void matrix(const Memory &m, int total, int percent, int reserved) {
  printf("\n| GB/s, 4-byte loads, %d KB shared/SM | 1 in flight | 2 | 4 | 8 | 16 |\n", total >> 10);
  printf("| --- | --- | --- | --- | --- | --- |\n");
  for (int blocks : {1, 2, 4, 8, 16}) {
    const Figure row[] = {flights<1>(m, blocks, total, percent, reserved), flights<2>(m, blocks, total, percent, reserved),
                          flights<4>(m, blocks, total, percent, reserved), flights<8>(m, blocks, total, percent, reserved),
                          flights<16>(m, blocks, total, percent, reserved)};
    printf("| %d warps/SM |", blocks * BLOCK / 32);
    for (const Figure &f : row) {
      printf(" %.0f |", f.value);
      report.figures.push_back(f);
    }
    printf("\n");
    fflush(stdout);
  }
}

// --- blocks and launches -------------------------------------------------------------------------------------------

__global__ void empty() {}

// Time of a block that returns at once, from the difference of two grids: the launch itself drops out.
static void launches(const Memory &m) {
  for (int threads : {128, 256, 1024}) {
    auto one = milliseconds(m, [&](int) { empty<<<report.sms, threads>>>(); });
    for (int waves : {64, 1024}) {
      auto samples = milliseconds(m, [&](int) { empty<<<report.sms * waves, threads>>>(); });
      for (double &s : samples) s = (s - median("", "", one).value) * 1e6 / (waves - 1);
      const std::string name = "empty block of " + std::to_string(threads) + ", " + std::to_string(waves) + " per SM";
      report.row(median(name, "ns/block/SM", samples));
    }
  }
  auto alone = milliseconds(m, [&](int) { empty<<<1, 128>>>(); });
  for (double &s : alone) s *= 1000;
  report.row(median("launch: one block between two events", "us", alone));
  using Clock = std::chrono::steady_clock;
  for (int count : {1, 1000}) {
    std::vector<double> samples;
    for (int sample = 0; sample < SAMPLES; ++sample) {
      const auto from = Clock::now();
      for (int i = 0; i < count; ++i) empty<<<1, 128>>>();
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      samples.push_back(std::chrono::duration<double, std::micro>(Clock::now() - from).count() / count);
    }
    report.row(median(count == 1 ? "launch: one and wait, on the host" : "launch: each of 1000 in a row", "us", samples));
  }
}

__global__ void spin(long long cycles, Long *elapsed) {
  Long from, until;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from)::"memory");
  const long long start = now();
  long long end;
  do end = now(); while (end - start < cycles);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(until)::"memory");
  elapsed[0] = until - from;
  elapsed[1] = end - start;
}

// The clock that one busy SM runs at; the first samples also bring it up.
static void frequency(const Memory &m, const char *name) {
  std::vector<double> samples;
  for (int sample = 0; sample < SAMPLES; ++sample) {
    spin<<<1, 1>>>(10'000'000, (Long *)m.times);
    CHECK(cudaGetLastError());
    Long t[2];
    CHECK(cudaMemcpy(t, m.times, sizeof t, cudaMemcpyDeviceToHost));
    samples.push_back(1000.0 * t[1] / t[0]);
  }
  report.row(median(name, "MHz", samples));
}

int main(int count, char **arguments) {
  int reserved = 0, shared = 0;
  cudaDeviceProp properties;
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaDeviceGetAttribute(&report.clock, cudaDevAttrClockRate, 0));
  CHECK(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0));
  CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  report.path = count > 1 ? arguments[1] : nullptr;
  report.gpu = properties.name;
  report.sms = properties.multiProcessorCount;
  printf("%s, %d SMs, %d kHz\n\n| measurement | median | least | largest | unit |\n| --- | --- | --- | --- | --- |\n",
         report.gpu.c_str(), report.sms, report.clock);

  Memory m;
  CHECK(cudaMalloc(&m.a, SIZE + PAD));
  CHECK(cudaMalloc(&m.b, SIZE + PAD));
  CHECK(cudaMalloc(&m.sink, 1 << 16));
  CHECK(cudaMalloc(&m.times, 1 << 16));
  CHECK(cudaEventCreate(&m.from));
  CHECK(cudaEventCreate(&m.until));
  CHECK(cudaMemset(m.a, 0x3f, SIZE + PAD));
  CHECK(cudaMemset(m.b, 0x3f, SIZE + PAD));

  frequency(m, "clock: at the start");
  throughputs(m);
  report.write();
  latencies(m);
  report.write();
  bandwidths(m);
  launches(m);
  frequency(m, "clock: at the end");
  report.write();
  matrix(m, 32 << 10, 20, reserved);
  matrix(m, shared, 100, reserved);
  report.write();
}
