#define _GNU_SOURCE
#include "CBenchCore.h"

#ifdef __linux__
// In C, for Swift does not see what glibc keeps for those who define _GNU_SOURCE.
#include <sched.h>

void bench_stay_on_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}
#else
void bench_stay_on_core(int core) { (void)core; }
#endif
