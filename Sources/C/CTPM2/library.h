/// The functions of tpm2-tss, loaded at run time.
#ifndef CTPM2_LIBRARY_H
#define CTPM2_LIBRARY_H

#include "tpm2.h"

#include <tss2/tss2_esys.h>
#include <tss2/tss2_tctildr.h>

typedef struct {
    __typeof__(Tss2_TctiLdr_Initialize) *connect;
    __typeof__(Tss2_TctiLdr_Finalize) *disconnect;
    __typeof__(Esys_Initialize) *initialize;
    __typeof__(Esys_Finalize) *finalize;
    __typeof__(Esys_CreatePrimary) *create_primary;
    __typeof__(Esys_FlushContext) *flush;
    __typeof__(Esys_Hash) *hash;
    __typeof__(Esys_Sign) *sign;
    __typeof__(Esys_Quote) *quote;
    __typeof__(Esys_Free) *free;
} ctpm2_library;

struct ctpm2_device {
    const ctpm2_library *library;
    TSS2_TCTI_CONTEXT *tcti;
    ESYS_CONTEXT *esys;
};

/// Loads tpm2-tss on the first call. Returns its functions; NULL if tpm2-tss is not installed.
const ctpm2_library *ctpm2_load(void);

#endif
