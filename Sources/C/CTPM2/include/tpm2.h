/// A P-256 key in a TPM 2.0 through tpm2-tss, which is loaded when it is first needed: most machines of most
/// people do not use it, and it would cost every start its relocations.
#ifndef CTPM2_H
#define CTPM2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ctpm2_device ctpm2_device;

typedef enum {
    CTPM2_DONE,
    /// tpm2-tss is not installed.
    CTPM2_NO_LIBRARY,
    /// There is no TPM that this user may use.
    CTPM2_NO_DEVICE,
    /// The TPM answers with an error: see `code`.
    CTPM2_REFUSED,
} ctpm2_outcome;

typedef struct {
    ctpm2_outcome outcome;
    uint32_t code;  // TSS2_RC
} ctpm2_failure;

/// Connects to the TPM that `tcti` names, for instance `device:/dev/tpmrm0`. NULL: see `failure`.
ctpm2_device *ctpm2_open(const char *tcti, ctpm2_failure *failure);
void ctpm2_close(ctpm2_device *device);

enum { CTPM2_SEED = 32, CTPM2_NUMBER = 32, CTPM2_MESSAGE = 1024, CTPM2_ATTESTED = 2048 };

/// A signature's two numbers, big-endian.
typedef struct {
    uint8_t r[CTPM2_NUMBER], s[CTPM2_NUMBER];
} ctpm2_signature;

/// The public point of the key that this TPM makes from `seed`, always the same one.
bool ctpm2_public(
    ctpm2_device *device, const uint8_t *seed, uint8_t *x, uint8_t *y, ctpm2_failure *failure);

/// Signs SHA-256 of `message`, of at most CTPM2_MESSAGE bytes. The TPM hashes itself, as the key signs
/// nothing that could be taken for a quote.
bool ctpm2_sign(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *message, size_t count,
    ctpm2_signature *signature, ctpm2_failure *failure);

/// Quotes the SHA-256 PCR 7 (secure boot) with `hash`, of 32 bytes, as extra data. `attested` has room for
/// CTPM2_ATTESTED bytes, of which `count` are used.
bool ctpm2_quote(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *hash, uint8_t *attested, size_t *count,
    ctpm2_signature *signature, ctpm2_failure *failure);

#endif
