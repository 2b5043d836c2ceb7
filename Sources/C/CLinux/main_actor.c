#include "main_actor.h"

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL clinux_executor (*executor_getter)(void);

extern SWIFT_CALL clinux_executor (*swift_task_getMainExecutor_hook)(executor_getter original);

static clinux_executor main_executor;

static SWIFT_CALL clinux_executor get(executor_getter original) { return main_executor; }

void clinux_set_main_executor(clinux_executor executor) {
    main_executor = executor;
    swift_task_getMainExecutor_hook = get;
}

typedef SWIFT_CALL void (*job_taker)(void *job);

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, job_taker original);
extern SWIFT_CALL void swift_job_run(void *job, clinux_executor executor);

static void (*global_enqueue)(void *job);

static SWIFT_CALL void enqueue_global(void *job, job_taker original) { global_enqueue(job); }

void clinux_set_global_enqueue(void (*enqueue)(void *job)) {
    global_enqueue = enqueue;
    swift_task_enqueueGlobal_hook = enqueue_global;
}

void clinux_run_global_job(void *job) {
    const clinux_executor none = {0};
    swift_job_run(job, none);
}
