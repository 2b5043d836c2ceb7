/// Hooks of the Swift runtime that replace its executors. The hooks are declared here, because no header of
/// the toolchain declares them.
#ifndef CLINUX_MAIN_ACTOR_H
#define CLINUX_MAIN_ACTOR_H

#include <stdint.h>

/// The type `SerialExecutorRef` of the Swift runtime: an object and its witness table.
typedef struct {
    void *identity;
    uintptr_t implementation;
} clinux_executor;

/// Sets the executor of the main actor. Must be called before the main actor is used. The executor must not
/// be freed.
void clinux_set_main_executor(clinux_executor executor);

/// Makes the runtime pass each job without an actor to `enqueue`, which may be called on any thread. Run such
/// a job with `clinux_run_global_job`.
void clinux_set_global_enqueue(void (*enqueue)(void *job));

void clinux_run_global_job(void *job);

#endif
