#ifndef COPAL_BENCH_CORE_H
#define COPAL_BENCH_CORE_H

/// Keeps this process, and those that it starts, on one core. Does nothing where a process has no say in
/// that.
void bench_stay_on_core(int core);

#endif
