// A driver for tests: the entry points that are used, on host memory.
//
// It runs no PTX. What a launch does is in the module's text, in comments `// fake: WORD ...`:
//   copy          parameters (in, out, n): out[i] = in[i], 32-bit words
//   wrong K       as copy, but element K is another
//   fault         the kernel fails while it runs: the context is lost
//   hang          the kernel never ends
//   resources     the launch is refused
//   jit           the module is refused, with a log
//   newer         the module is refused as too new for the driver
//   set N         writes N to the module's variable `counter`
//   loaded N      `counter` holds N as soon as the module is loaded
//   time N        a launch takes N microseconds (1 without)
//   less N WORD   it takes N microseconds less for each WORD in the module's code
//   spoilt WORD   element 0 is another where the module's code has WORD
// A module that says nothing does nothing. Our own kernels `ptxasw_fill` and `ptxasw_compare` are done here once more.
//
// A container of modules, as machine code, copies.
//
// FAKE_LOG names a file for the calls; lines that begin with "misuse" are uses that a driver would not forgive.
// FAKE_BUSY makes a stream of the program work without end. FAKE_CAPTURING makes every launch one within a graph. FAKE_OLD hides what drivers before 12.4 lack.
// FAKE_VERSION, FAKE_DEVICES, FAKE_MEMORY (bytes) and FAKE_LOST (no new context after a fault) change what there is.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_PTX = 218,
  UNSUPPORTED_PTX_VERSION = 222,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  OUT_OF_RESOURCES = 701,
};

enum kind { CONTEXT = 0xc0, MODULE, FUNCTION, EVENT };

// Everything that a handle points to begins with its kind.
struct context { enum kind kind; int fault, hangs; };
struct module { enum kind kind; struct module *next; char *text; uint32_t counter[4]; };
struct function { enum kind kind; struct function *next; struct module *module; char *name; };
struct event { enum kind kind; struct event *next; double time; int recorded; };
struct block { struct block *next; uint64_t address, bytes; };

static struct context *current;
static struct block *blocks;
static struct module *modules;
static struct function *functions;
static struct event *events;
static uint64_t used;
static double now; // of the device, in microseconds
static int faults;

static void say(const char *format, ...) {
  const char *path = getenv("FAKE_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  va_list list;
  va_start(list, format);
  vfprintf(file, format, list);
  va_end(list);
  fclose(file);
}

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text ? atol(text) : otherwise;
}

// What every call on a context begins with.
static int enter(const char *call) {
  if (!current) {
    say("misuse: %s without a context\n", call);
    return INVALID_CONTEXT;
  }
  return current->fault;
}
#define ENTER() do { int code = enter(__func__); if (code) return code; } while (0)

static int is(void *handle, void *list, size_t next, const char *call) {
  for (char *p = list; p; p = *(char **)(p + next))
    if (p == handle) return 1;
  say("misuse: %s with a handle that is not alive\n", call);
  return 0;
}
#define ALIVE(handle, list, type) is(handle, list, offsetof(struct type, next), __func__)

// The bytes of device memory, if they are allocated.
static void *memory(uint64_t address, uint64_t bytes, const char *call) {
  for (struct block *b = blocks; b; b = b->next)
    if (address >= b->address && address + bytes <= b->address + b->bytes)
      return (void *)address;
  for (struct module *m = modules; m; m = m->next) {
    uint64_t counter = (uint64_t)m->counter;
    if (address >= counter && address + bytes <= counter + sizeof m->counter)
      return (void *)address;
  }
  say("misuse: %s of %llu bytes that are not allocated\n", call, (unsigned long long)bytes);
  return NULL;
}

// What follows `// fake: WORD`, or NULL.
static const char *told(struct module *module, const char *word) {
  char line[64];
  snprintf(line, sizeof line, "// fake: %s", word);
  const char *place = strstr(module->text, line);
  return place ? place + strlen(line) : NULL;
}

// How often a word is in a module after its head.
static int occurrences(struct module *module, const char *word) {
  const char *place = strstr(module->text, ".version");
  int count = 0;
  while (place && (place = strstr(place, word))) count++, place++;
  return count;
}

// What `// fake: less N WORD` takes off a launch.
static double saved(struct module *module) {
  const char *less = told(module, "less");
  char word[64];
  double each;
  int read = less ? sscanf(less, "%lf %63s", &each, word) : 0;
  return read == 2 ? each * occurrences(module, word) : 0;
}

int cuInit(unsigned flags) {
  return flags ? INVALID_VALUE : number("FAKE_DEVICES", 1) ? OK : NO_DEVICE;
}

int cuDriverGetVersion(int *version) {
  *version = number("FAKE_VERSION", 13000);
  return OK;
}

static const struct { int code; const char *name, *meaning; } errors[] = {
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
};

int cuGetErrorName(int code, const char **name) {
  *name = NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].code == code) *name = errors[i].name;
  return *name ? OK : INVALID_VALUE;
}

int cuGetErrorString(int code, const char **meaning) {
  *meaning = NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].code == code) *meaning = errors[i].meaning;
  return *meaning ? OK : INVALID_VALUE;
}

int cuDeviceGetCount(int *count) {
  *count = number("FAKE_DEVICES", 1);
  return OK;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = 40 + ordinal;
  return ordinal < number("FAKE_DEVICES", 1) ? OK : INVALID_DEVICE;
}

int cuDeviceGetName(char *name, int room, int device) {
  snprintf(name, room, "Fake GPU %d", device - 40);
  return OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
  case 13: *value = 1500000; break;
  case 16: *value = 8; break;
  case 36: *value = 2000000; break;
  case 37: *value = 256; break;
  case 38: *value = 4 << 20; break;
  case 39: *value = 2048; break;
  case 75: *value = 9; break;
  case 76: *value = 0; break;
  case 97: *value = 49152; break;
  default: return INVALID_VALUE;
  }
  return device >= 40 ? OK : INVALID_DEVICE;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  *bytes = number("FAKE_MEMORY", 2l << 30);
  return device >= 40 ? OK : INVALID_DEVICE;
}

int cuCtxCreate_v2(void **context, unsigned flags, int device) {
  if (flags || device < 40) return INVALID_VALUE;
  if (current) say("misuse: a second context\n");
  if (faults && getenv("FAKE_LOST")) return ILLEGAL_ADDRESS;
  current = calloc(1, sizeof *current);
  current->kind = CONTEXT;
  *context = current;
  say("context\n");
  return OK;
}

int cuCtxDestroy_v2(void *context) {
  if (context != current) say("misuse: a context that is not current\n");
  if (blocks || modules || events) say("misuse: something is left in the context\n");
  free(current);
  current = NULL;
  say("end of context\n");
  return OK;
}

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER();
  *total = number("FAKE_MEMORY", 2l << 30);
  *free = *total - used;
  return OK;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER();
  if (!bytes) return INVALID_VALUE;
  if (used + bytes > (uint64_t)number("FAKE_MEMORY", 2l << 30)) return OUT_OF_MEMORY;
  struct block *b = calloc(1, sizeof *b);
  *b = (struct block){blocks, (uint64_t)aligned_alloc(256, (bytes + 255) / 256 * 256), bytes};
  blocks = b;
  used += bytes;
  // What was there before is of no use to anybody.
  memset((void *)b->address, 0xa5, bytes);
  *address = b->address;
  say("allocate %zu at %llx\n", bytes, (unsigned long long)b->address);
  return OK;
}

int cuMemFree_v2(uint64_t address) {
  for (struct block **b = &blocks; *b; b = &(*b)->next)
    if ((*b)->address == address) {
      struct block *gone = *b;
      *b = gone->next;
      used -= gone->bytes;
      free((void *)address);
      free(gone);
      say("free %llx\n", (unsigned long long)address);
      return OK;
    }
  say("misuse: free of what is not allocated\n");
  return INVALID_VALUE;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  ENTER();
  void *place = memory(to, bytes, __func__);
  if (!place) return INVALID_VALUE;
  memcpy(place, from, bytes);
  return OK;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  ENTER();
  void *place = memory(from, bytes, __func__);
  if (!place) return INVALID_VALUE;
  memcpy(to, place, bytes);
  return OK;
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
  ENTER();
  void *place = memory(to, bytes, __func__);
  if (!place) return INVALID_VALUE;
  memset(place, value, bytes);
  return OK;
}

int cuModuleLoadDataEx(void **handle, const void *image, unsigned count, int *options, void **values) {
  ENTER();
  struct module *m = calloc(1, sizeof *m);
  // Machine code has no comments, and copies.
  int elf = memcmp(image, "\177ELF", 4) == 0 || memcmp(image, "\x50\xed\x55\xba", 4) == 0;
  m->kind = MODULE;
  m->text = strdup(elf ? "// fake: copy\n" : image);
  const char *loaded = told(m, "loaded");
  if (loaded) m->counter[0] = atoi(loaded);
  int code = told(m, "jit") ? INVALID_PTX : told(m, "newer") && !elf ? UNSUPPORTED_PTX_VERSION : OK;
  if (code) {
    char *log = NULL;
    size_t room = 0;
    for (unsigned i = 0; i < count; i++) {
      if (options[i] == 5) log = values[i];
      if (options[i] == 6) room = (size_t)values[i];
    }
    if (log && code == INVALID_PTX)
      snprintf(log, room, "ptxas application ptx input, line 7; error : fake error\n");
    free(m->text);
    free(m);
    return code;
  }
  m->next = modules;
  modules = m;
  *handle = m;
  say("load %s\n", elf ? "machine code" : "text");
  return OK;
}

int cuModuleLoadData(void **handle, const void *image) {
  return cuModuleLoadDataEx(handle, image, 0, NULL, NULL);
}

// A library is its one module.
int cuLibraryLoadData(void **handle, const void *image, int *jit, void **jit_values, unsigned jit_count,
                      int *options, void **values, unsigned count) {
  if (jit || jit_values || jit_count || options || values || count) return INVALID_VALUE;
  return cuModuleLoadDataEx(handle, image, 0, NULL, NULL);
}

int cuModuleUnload(void *handle) {
  if (!ALIVE(handle, modules, module)) return INVALID_VALUE;
  struct module **m = &modules;
  while (*m != handle) m = &(*m)->next;
  *m = ((struct module *)handle)->next;
  for (struct function **f = &functions; *f;) {
    struct function *function = *f;
    if (function->module != handle) {
      f = &function->next;
      continue;
    }
    *f = function->next;
    free(function->name);
    free(function);
  }
  free(((struct module *)handle)->text);
  free(handle);
  say("unload\n");
  return OK;
}

int cuModuleGetFunction(void **handle, void *module, const char *name) {
  ENTER();
  struct module *m = module;
  if (!ALIVE(module, modules, module)) return INVALID_VALUE;
  if (strstr(m->text, ".entry") && !strstr(m->text, name)) return NOT_FOUND;
  struct function *f = calloc(1, sizeof *f);
  *f = (struct function){FUNCTION, functions, m, strdup(name)};
  functions = f;
  *handle = f;
  return OK;
}

int cuLibraryGetKernel(void **handle, void *library, const char *name) {
  return cuModuleGetFunction(handle, library, name);
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name) {
  ENTER();
  struct module *m = module;
  if (!ALIVE(module, modules, module)) return INVALID_VALUE;
  if (strcmp(name, "counter") || !strstr(m->text, "counter")) return NOT_FOUND;
  *address = (uint64_t)m->counter;
  *bytes = sizeof m->counter;
  return OK;
}

int cuFuncGetAttribute(int *value, int attribute, void *handle) {
  ENTER();
  if (!ALIVE(handle, functions, function)) return INVALID_VALUE;
  switch (attribute) {
  case 0: *value = 256; break;
  case 1: *value = 1024; break;
  case 3: *value = 16; break;
  case 4: *value = 24; break;
  default: return INVALID_VALUE;
  }
  return OK;
}

int cuFuncSetAttribute(void *handle, int attribute, int value) {
  ENTER();
  return ALIVE(handle, functions, function) && attribute == 8 && value >= 0 ? OK : INVALID_VALUE;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *result, void *handle, int threads, size_t shared) {
  ENTER();
  if (!ALIVE(handle, functions, function) || threads < 1) return INVALID_VALUE;
  *result = shared ? 1 : 1024 / threads;
  return OK;
}

// Offset and bytes of a parameter by the kernel's declaration; 0 after the last.
static int parameter(struct function *f, size_t number, size_t *offset, size_t *bytes) {
  static const char copies[] = ".entry k(.param .u64 in, .param .u64 out, .param .u32 n)";
  const char *text = strstr(f->module->text, ".entry") ? f->module->text : copies;
  char entry[128];
  snprintf(entry, sizeof entry, ".entry %s(", f->name);
  const char *place = strstr(text, entry);
  const char *end = place ? strchr(place, ')') : NULL;
  *offset = *bytes = 0;
  while (place && (place = strstr(place, ".param")) && place < end) {
    size_t align = 0, size = 0;
    char name[128] = "";
    unsigned bits = 0, a = 0, n = 0;
    char letter;
    if (sscanf(place, ".param .align %u .b8 %127[^[,)\n ][%u]", &a, name, &n) == 3)
      align = a, size = n;
    else if (sscanf(place, ".param .%c%u", &letter, &bits) == 2)
      align = size = bits / 8;
    place++;
    if (!align) continue;
    *offset = (*offset + *bytes + align - 1) / align * align;
    *bytes = size;
    if (!number--) return 1;
  }
  return 0;
}

// Bytes of the kernel's parameters: the end of the last.
static size_t declared(struct function *f) {
  size_t offset = 0, bytes = 0, end = 0;
  for (size_t i = 0; parameter(f, i, &offset, &bytes); i++) end = offset + bytes;
  return end;
}

int cuFuncGetParamInfo(void *handle, size_t number, size_t *offset, size_t *bytes) {
  ENTER();
  if (getenv("FAKE_OLD")) return NOT_FOUND;
  if (!ALIVE(handle, functions, function)) return INVALID_VALUE;
  return parameter(handle, number, offset, bytes) ? OK : INVALID_VALUE;
}

// A kernel of a library is its function.
int cuKernelGetParamInfo(void *handle, size_t number, size_t *offset, size_t *bytes) {
  return cuFuncGetParamInfo(handle, number, offset, bytes);
}

int cuMemGetAddressRange_v2(uint64_t *start, size_t *bytes, uint64_t address) {
  ENTER();
  for (struct block *b = blocks; b; b = b->next)
    if (address >= b->address && address < b->address + b->bytes) {
      *start = b->address;
      *bytes = b->bytes;
      return OK;
    }
  return INVALID_VALUE;
}

int cuCtxGetDevice(int *device) {
  ENTER();
  *device = 40;
  return OK;
}

int cuStreamIsCapturing(void *stream, int *capturing) {
  ENTER();
  *capturing = number("FAKE_CAPTURING", 0);
  return stream ? INVALID_VALUE : OK;
}

// The one stream besides the usual one.
static int stream;

int cuStreamCreate(void **handle, unsigned flags) {
  ENTER();
  *handle = &stream;
  return flags == 1 ? OK : INVALID_VALUE;
}

int cuStreamDestroy_v2(void *handle) { return handle == &stream ? OK : INVALID_VALUE; }

int cuStreamQuery(void *handle) {
  ENTER();
  return handle && handle != &stream ? INVALID_VALUE : getenv("FAKE_BUSY") ? NOT_READY : OK;
}

int cuStreamSynchronize(void *handle) {
  ENTER();
  return handle && handle != &stream ? INVALID_VALUE : OK;
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *handle) {
  return handle == &stream ? cuMemcpyDtoH_v2(to, from, bytes) : INVALID_VALUE;
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  static int current;
  int before = current;
  current = *mode;
  *mode = before;
  return OK;
}

// With FAKE_HOST every number that is no address of the device is one of the host.
int cuPointerGetAttribute(int *value, int attribute, uint64_t address) {
  ENTER();
  *value = 1;
  return attribute == 2 && address > 1 << 20 && getenv("FAKE_HOST") ? OK : INVALID_VALUE;
}

static uint64_t word(const unsigned char *parameters, size_t offset, size_t bytes) {
  uint64_t value = 0;
  memcpy(&value, parameters + offset, bytes);
  return value;
}

static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static double real(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

// Element by element, as the comment of `ptxasw_fill` says.
static int fill(const unsigned char *p) {
  uint64_t count = word(p, 8, 8), state = word(p, 16, 8), from = word(p, 24, 8), width = word(p, 32, 8);
  int ramp = word(p, 40, 4), type = word(p, 44, 4), bytes = type & 1 ? 8 : 4;
  char *out = memory(word(p, 0, 8), count * bytes, __func__);
  if (!out) return ILLEGAL_ADDRESS;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t z = mix(state + (i + 1) * 0x9e3779b97f4a7c15);
    if (type >= 2) {
      uint64_t value = ramp      ? from + i * width
                       : !width  ? z
                                 : from + (uint64_t)((unsigned __int128)z * width >> 64);
      memcpy(out + i * bytes, &value, bytes);
      continue;
    }
    // Two statements: no fused multiply-add.
    volatile double product = (ramp ? (double)i : (z >> 11) / 9007199254740992.0) * real(width);
    double value = real(from) + product;
    float single = value;
    memcpy(out + i * bytes, type ? (void *)&value : (void *)&single, bytes);
  }
  return OK;
}

static int compare(const unsigned char *p) {
  uint64_t count = word(p, 16, 8);
  uint32_t *a = memory(word(p, 0, 8), 4 * count, __func__);
  uint32_t *b = memory(word(p, 8, 8), 4 * count, __func__);
  uint64_t *result = memory(word(p, 24, 8), 16, __func__);
  if (!a || !b || !result) return ILLEGAL_ADDRESS;
  for (uint64_t i = 0; i < count; i++)
    if (a[i] != b[i]) {
      result[0]++;
      if (i < result[1]) result[1] = i;
    }
  return OK;
}

static int copy(struct module *m, const unsigned char *p) {
  uint64_t count = word(p, 16, 4);
  uint32_t *in = memory(word(p, 0, 8), 4 * count, __func__);
  uint32_t *out = memory(word(p, 8, 8), 4 * count, __func__);
  if (!in || !out) return ILLEGAL_ADDRESS;
  memmove(out, in, 4 * count);
  const char *wrong = told(m, "wrong");
  if (wrong) out[atol(wrong)] ^= 1;
  const char *spoilt = told(m, "spoilt");
  char name[64];
  if (spoilt && sscanf(spoilt, "%63s", name) == 1 && occurrences(m, name)) out[0] ^= 1;
  return OK;
}

int cuLaunchKernel(void *handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **pointers, void **extra) {
  ENTER();
  struct function *f = handle;
  if (!ALIVE(handle, functions, function) || stream || (pointers && extra)) return INVALID_VALUE;
  struct module *m = f->module;
  unsigned char gathered[512];
  const unsigned char *p = gathered;
  size_t size = 0, offset, bytes;
  for (size_t i = 0; pointers && parameter(f, i, &offset, &bytes); i++) {
    memcpy(gathered + offset, pointers[i], bytes);
    size = offset + bytes;
  }
  for (int i = 0; extra && extra[i]; i += 2) {
    if (extra[i] == (void *)1) p = extra[i + 1];
    if (extra[i] == (void *)2) size = *(size_t *)extra[i + 1];
  }
  if (strstr(m->text, ".entry") && size != declared(f))
    say("misuse: %zu bytes of parameters, declared are %zu\n", size, declared(f));
  say("launch %s grid %u,%u,%u block %u,%u,%u shared %u parameters ", f->name, gx, gy, gz, bx, by, bz,
      shared);
  for (size_t i = 0; i < size; i++) say("%02x", p[i]);
  say("\n");
  if (told(m, "resources")) return OUT_OF_RESOURCES;
  const char *time = told(m, "time"), *set = told(m, "set");
  now += (time ? atof(time) : 1) - saved(m);
  if (set) m->counter[0] = atoi(set);
  current->hangs |= told(m, "hang") != NULL;
  current->fault = told(m, "fault")                       ? ILLEGAL_ADDRESS
                   : !strcmp(f->name, "ptxasw_fill")      ? fill(p)
                   : !strcmp(f->name, "ptxasw_compare")   ? compare(p)
                   : told(m, "copy") || told(m, "wrong")  ? copy(m, p)
                                                          : OK;
  faults += current->fault != OK;
  return OK;
}

int cuLaunchCooperativeKernel(void *handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, void *stream, void **pointers) {
  return cuLaunchKernel(handle, gx, gy, gz, bx, by, bz, shared, stream, pointers, NULL);
}

int cuEventCreate(void **handle, unsigned flags) {
  ENTER();
  struct event *e = calloc(1, sizeof *e);
  *e = (struct event){EVENT, events, 0, 0};
  events = e;
  *handle = e;
  return flags ? INVALID_VALUE : OK;
}

int cuEventDestroy_v2(void *handle) {
  if (!ALIVE(handle, events, event)) return INVALID_VALUE;
  struct event **e = &events;
  while (*e != handle) e = &(*e)->next;
  *e = ((struct event *)handle)->next;
  free(handle);
  return OK;
}

int cuEventRecord(void *handle, void *stream) {
  ENTER();
  struct event *e = handle;
  if (!ALIVE(handle, events, event) || stream) return INVALID_VALUE;
  e->time = now;
  e->recorded = 1;
  return OK;
}

int cuEventQuery(void *handle) {
  ENTER();
  if (!ALIVE(handle, events, event)) return INVALID_VALUE;
  return current->hangs ? NOT_READY : OK;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  ENTER();
  struct event *a = start, *b = end;
  if (!ALIVE(start, events, event) || !ALIVE(end, events, event)) return INVALID_VALUE;
  if (!a->recorded || !b->recorded) return INVALID_VALUE;
  *milliseconds = (b->time - a->time) / 1000;
  return OK;
}

// As the runtime asks for functions: by names without versions.
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
  static const struct { const char *name; void *function; } all[] = {
      {"cuInit", cuInit},
      {"cuDeviceGet", cuDeviceGet},
      {"cuCtxCreate", cuCtxCreate_v2},
      {"cuCtxDestroy", cuCtxDestroy_v2},
      {"cuMemAlloc", cuMemAlloc_v2},
      {"cuMemFree", cuMemFree_v2},
      {"cuMemcpyHtoD", cuMemcpyHtoD_v2},
      {"cuMemcpyDtoH", cuMemcpyDtoH_v2},
      {"cuLibraryLoadData", cuLibraryLoadData},
      {"cuLibraryGetKernel", cuLibraryGetKernel},
      {"cuModuleLoadData", cuModuleLoadData},
      {"cuModuleGetFunction", cuModuleGetFunction},
      {"cuModuleUnload", cuModuleUnload},
      {"cuLaunchKernel", cuLaunchKernel},
      {"cuLaunchCooperativeKernel", cuLaunchCooperativeKernel},
  };
  *function = NULL;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].name, name)) *function = all[i].function;
  if (status) *status = *function ? 0 : 1;
  return version < 12000 || flags > 2 ? INVALID_VALUE : *function ? OK : NOT_FOUND;
}
