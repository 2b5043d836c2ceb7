/// A P-256 key in a TPM 2.0, used through tpm2-tss. The library is loaded on first use: most computers do not
/// need it, and its relocations would slow down every launch.
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
    /// There is no TPM that the user may access.
    CTPM2_NO_DEVICE,
    /// The TPM returned the error `code`.
    CTPM2_REFUSED,
} ctpm2_outcome;

typedef struct {
    ctpm2_outcome outcome;
    uint32_t code;  // TSS2_RC
} ctpm2_failure;

/// Connects to the TPM of a TCTI string, such as `device:/dev/tpmrm0`. Returns NULL and sets `failure` on
/// error.
ctpm2_device *ctpm2_open(const char *tcti, ctpm2_failure *failure);
void ctpm2_close(ctpm2_device *device);

enum { CTPM2_SEED = 32, CTPM2_NUMBER = 32, CTPM2_MESSAGE = 1024, CTPM2_ATTESTED = 2048 };

/// The numbers r and s of a signature, big-endian.
typedef struct {
    uint8_t r[CTPM2_NUMBER], s[CTPM2_NUMBER];
} ctpm2_signature;

/// Writes the public point of the key that the TPM derives from `seed`. The same TPM and seed always give the
/// same key.
bool ctpm2_public(
    ctpm2_device *device, const uint8_t *seed, uint8_t *x, uint8_t *y, ctpm2_failure *failure);

/// Signs the SHA-256 of `message`, which has at most CTPM2_MESSAGE bytes. The TPM computes the hash itself,
/// because the key is restricted: it does not sign data that looks like a quote.
bool ctpm2_sign(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *message, size_t count,
    ctpm2_signature *signature, ctpm2_failure *failure);

/// Creates a quote of PCR 7 (secure boot, SHA-256 bank) with `hash`, 32 bytes, as extra data. `attested`
/// needs CTPM2_ATTESTED bytes; `count` is set to the number of written bytes.
bool ctpm2_quote(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *hash, uint8_t *attested, size_t *count,
    ctpm2_signature *signature, ctpm2_failure *failure);

#endif
