#include "library.h"

#include <stdlib.h>

ctpm2_device *ctpm2_open(const char *tcti, ctpm2_failure *failure) {
    const ctpm2_library *library = ctpm2_load();
    *failure = (ctpm2_failure){.outcome = CTPM2_NO_LIBRARY};
    if (library == NULL) return NULL;
    ctpm2_device *device = calloc(1, sizeof *device);
    if (device == NULL) return NULL;
    device->library = library;
    failure->outcome = CTPM2_NO_DEVICE;
    failure->code = library->connect(tcti, &device->tcti);
    if (failure->code == TSS2_RC_SUCCESS)
        failure->code = library->initialize(&device->esys, device->tcti, NULL);
    if (failure->code == TSS2_RC_SUCCESS) return device;
    ctpm2_close(device);
    return NULL;
}

void ctpm2_close(ctpm2_device *device) {
    if (device->esys != NULL) device->library->finalize(&device->esys);
    if (device->tcti != NULL) device->library->disconnect(&device->tcti);
    free(device);
}
