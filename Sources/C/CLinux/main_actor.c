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
