#define _GNU_SOURCE
#include "measure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double milliseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

double cpu_milliseconds(void) { return milliseconds(CLOCK_PROCESS_CPUTIME_ID); }

// Linux says what memory a process has and had; elsewhere it is not measured.
static long status(const char *key) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  long kilobytes = 0;
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, key, strlen(key)) == 0) {
      sscanf(line + strlen(key), "%ld", &kilobytes);
      break;
    }
  }
  fclose(file);
  return kilobytes;
}

void measurement_start(struct measurement *measurement) {
  measurement->resident_start = status("VmRSS:");
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (file) {
    fputs("5", file);
    fclose(file);
  }
  measurement->cpu_start = cpu_milliseconds();
  measurement->wall_start = milliseconds(CLOCK_MONOTONIC);
}

void measurement_print(const struct measurement *measurement, uint64_t checksum, long units) {
  double cpu = cpu_milliseconds() - measurement->cpu_start;
  double ended = milliseconds(CLOCK_MONOTONIC);
  double wall = ended - measurement->wall_start;
  long peak = status("VmHWM:") - measurement->resident_start;
  printf(
      "{\"cpuMilliseconds\":%.6f,\"wallMilliseconds\":%.6f,\"peakKilobytes\":%ld,\"checksum\":%llu",
      cpu, wall, peak > 0 ? peak : 0, (unsigned long long)checksum);
  // For Benchmarks/profile.
  printf(",\"began\":%.9f,\"ended\":%.9f", measurement->wall_start / 1e3, ended / 1e3);
  if (units > 0) printf(",\"units\":%ld", units);
  puts("}");
}
