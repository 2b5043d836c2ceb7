/// Where Swift's runtime has tasks run. No header of the toolchain names the hooks that replace it.
#ifndef CLINUX_MAIN_ACTOR_H
#define CLINUX_MAIN_ACTOR_H

#include <stdint.h>

/// What the runtime calls a serial executor: the object, and how to call it.
typedef struct {
    void *identity;
    uintptr_t implementation;
} clinux_executor;

/// Before the main actor is first used. The executor's object must live as long as the process.
void clinux_set_main_executor(clinux_executor executor);

/// Has `enqueue` take each piece of a task that is isolated to no actor, from any thread. It is run with
/// `clinux_run_global_job`.
void clinux_take_global_jobs(void (*enqueue)(void *job));

void clinux_run_global_job(void *job);

#endif
