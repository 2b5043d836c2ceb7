/// The hooks that replace the executors of Swift's runtime. No header of the toolchain declares them.
#ifndef CLINUX_MAIN_ACTOR_H
#define CLINUX_MAIN_ACTOR_H

#include <stdint.h>

/// The runtime's representation of a serial executor: the object and its functions.
typedef struct {
    void *identity;
    uintptr_t implementation;
} clinux_executor;

/// Must be called before the main actor is first used. The executor must live as long as the process.
void clinux_set_main_executor(clinux_executor executor);

/// Passes each job that is isolated to no actor to `enqueue`, from any thread. Run it with
/// `clinux_run_global_job`.
void clinux_take_global_jobs(void (*enqueue)(void *job));

void clinux_run_global_job(void *job);

#endif
