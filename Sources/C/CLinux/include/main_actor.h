/// The main actor's executor. No header of the toolchain names the hook of Swift's runtime that replaces it.
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

#endif
