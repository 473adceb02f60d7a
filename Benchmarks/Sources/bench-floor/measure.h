#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>

/// What one process has measured, as BenchKit's `Measurement`.
struct measurement {
  double cpu_start, wall_start;
  long resident_start;
};

/// What was read, as BenchKit's `Checksum`.
static inline void add_bits(uint64_t *sum, uint64_t bits) { *sum += bits * 0x9e3779b97f4a7c15u; }

double cpu_milliseconds(void);
void measurement_start(struct measurement *measurement);

/// Ends the measurement and prints its line of JSON. `units`: what the cost is shared by; 0 leaves it out.
void measurement_print(const struct measurement *measurement, uint64_t checksum, long units);

#endif
