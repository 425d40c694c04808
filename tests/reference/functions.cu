// All functions, as kernels for the device or as a program for the host: host INPUT OUTPUT, words of 64 bits.
#include "common.h"
// In this order, which is that of the host's results.
#include "integers.h"
#include "floats.h"
#include "roundings.h"
#include "calls.h"

#if BY_HOST
#include <cstdio>

int main(int count, char **arguments) {
  if (count != 3) return 2;
  std::vector<u64> words;
  FILE *in = fopen(arguments[1], "rb");
  for (u64 word; in && fread(&word, 8, 1, in) == 1;) words.push_back(word);
  FILE *out = fopen(arguments[2], "wb");
  if (!in || !out) return 3;
  for (const Function &function : functions) {
    puts(function.name);
    for (size_t row = 0; row + 2 < words.size(); row += 3) {
      u64 result = function.compute(words[row], words[row + 1], words[row + 2]);
      if (fwrite(&result, 8, 1, out) != 1) return 4;
    }
  }
  return fclose(out);
}
#endif
