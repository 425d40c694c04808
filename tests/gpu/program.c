// A program for tests, which launches the kernel `k` of a module three times: `program MODULE`, where the module is PTX or a container.
//
// With LINKED it is linked with the driver; else it asks for each function, as CUDA's runtime does.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LINKED
int cuInit(unsigned);
int cuDeviceGet(int *, int);
int cuCtxCreate_v2(void **, unsigned, int);
int cuCtxDestroy_v2(void *);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuModuleUnload(void *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
#define CALL(name, type, ...) name(__VA_ARGS__)
#else
static void *asked(const char *name) {
  static int (*ask)(const char *, void **, int, uint64_t, int *);
  if (!ask) ask = (int (*)(const char *, void **, int, uint64_t, int *))dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuGetProcAddress_v2");
  char base[64];
  snprintf(base, sizeof base, "%s", name);
  char *version = strstr(base, "_v2");
  if (version) *version = 0;
  void *function = NULL;
  int status;
  if (!ask || ask(base, &function, 12000, 0, &status)) {
    fprintf(stderr, "no %s\n", base);
    exit(3);
  }
  return function;
}
#define CALL(name, type, ...) ((int (*) type)asked(#name))(__VA_ARGS__)
#endif

#define CHECK(name, type, ...) do { int code = CALL(name, type, __VA_ARGS__); \
    if (code) { fprintf(stderr, "%s: %d\n", #name, code); return 2; } } while (0)

int main(int count, char **words) {
  FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
  if (!file) return 1;
  static char image[1 << 20];
  size_t size = fread(image, 1, sizeof image - 1, file);
  fclose(file);
  if (!size) return 1;
  int device;
  void *context, *module, *kernel;
  uint64_t in, out;
  static uint32_t words_in[136], words_out[128];
  for (int i = 0; i < 136; i++) words_in[i] = 1000 + i;
  CHECK(cuInit, (unsigned), 0);
  CHECK(cuDeviceGet, (int *, int), &device, 0);
  CHECK(cuCtxCreate_v2, (void **, unsigned, int), &context, 0, device);
#ifdef LINKED
  CHECK(cuModuleLoadData, , &module, image);
  CHECK(cuModuleGetFunction, , &kernel, module, "k");
#else
  CHECK(cuLibraryLoadData, (void **, const void *, int *, void **, unsigned, int *, void **, unsigned), &module, image, NULL, NULL,
        0, NULL, NULL, 0);
  CHECK(cuLibraryGetKernel, (void **, void *, const char *), &kernel, module, "k");
#endif
  CHECK(cuMemAlloc_v2, (uint64_t *, size_t), &in, sizeof words_in);
  CHECK(cuMemAlloc_v2, (uint64_t *, size_t), &out, sizeof words_out);
  CHECK(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t), in, words_in, sizeof words_in);
  CHECK(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t), out, words_out, sizeof words_out);
  // Words from the fourth on; or what is no memory of the device.
  uint64_t from = getenv("FAKE_HOST") ? (uint64_t)words_in : in + 16;
  uint32_t n = 128;
  void *parameters[] = {&from, &out, &n};
#ifdef LINKED
  // Whoever is first among all that are loaded.
  int (*first)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) = dlsym(RTLD_DEFAULT, "cuLaunchKernel");
  if (first(kernel, 2, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL)) return 2;
#else
  if (getenv("PROGRAM_TOGETHER")) {
    CHECK(cuLaunchCooperativeKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **),
          kernel, 2, 1, 1, 64, 1, 1, 0, NULL, parameters);
  } else {
    CHECK(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **),
          kernel, 2, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL);
  }
#endif
  for (int i = 0; i < 2; i++)
    CHECK(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **),
          kernel, 2, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL);
  CHECK(cuMemcpyDtoH_v2, (void *, uint64_t, size_t), words_out, out, sizeof words_out);
  printf("first %u\n", words_out[0]);
  CHECK(cuMemFree_v2, (uint64_t), in);
  CHECK(cuMemFree_v2, (uint64_t), out);
  CHECK(cuModuleUnload, (void *), module);
  CHECK(cuCtxDestroy_v2, (void *), context);
  return 0;
}
