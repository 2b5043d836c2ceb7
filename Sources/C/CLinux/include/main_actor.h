/// The hooks that replace the executors of Swift's runtime. The toolchain has no header for them.
#ifndef CLINUX_MAIN_ACTOR_H
#define CLINUX_MAIN_ACTOR_H

#include <stdint.h>

/// The runtime's representation of a serial executor: the object and its functions.
typedef struct {
    void *identity;
    uintptr_t implementation;
} clinux_executor;

/// Sets the executor of the main actor. Call this function before the main actor is first used. The executor
/// must live as long as the process.
void clinux_set_main_executor(clinux_executor executor);

/// Passes each job that is not isolated to an actor to `enqueue`, on any thread. Run the job with
/// `clinux_run_global_job`.
void clinux_take_global_jobs(void (*enqueue)(void *job));

void clinux_run_global_job(void *job);

#endif
