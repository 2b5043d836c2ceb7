/// Hooks that replace the executors of the Swift runtime. No header of the toolchain declares them.
#ifndef CLINUX_MAIN_ACTOR_H
#define CLINUX_MAIN_ACTOR_H

#include <stdint.h>

/// The runtime's `SerialExecutorRef`: the object and its witness table.
typedef struct {
    void *identity;
    uintptr_t implementation;
} clinux_executor;

/// Sets the executor of the main actor. Must be called before the main actor is first used. The executor must
/// exist until the process exits.
void clinux_set_main_executor(clinux_executor executor);

/// Passes each job that is not isolated to an actor to `enqueue`, on any thread. The job must be run with
/// `clinux_run_global_job`.
void clinux_take_global_jobs(void (*enqueue)(void *job));

void clinux_run_global_job(void *job);

#endif
