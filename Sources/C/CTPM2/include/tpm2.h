/// A P-256 key in a TPM 2.0. The functions load tpm2-tss on first use: most computers do not need the
/// library, and loading it would slow down every start.
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
    /// The computer has no TPM that the user may access.
    CTPM2_NO_DEVICE,
    /// The TPM returned the error `code`.
    CTPM2_REFUSED,
} ctpm2_outcome;

typedef struct {
    ctpm2_outcome outcome;
    uint32_t code;  // the error code (TSS2_RC)
} ctpm2_failure;

/// Connects to the TPM that a TCTI string selects, such as `device:/dev/tpmrm0`. On failure, returns NULL and
/// sets `failure`.
ctpm2_device *ctpm2_open(const char *tcti, ctpm2_failure *failure);
void ctpm2_close(ctpm2_device *device);

enum { CTPM2_SEED = 32, CTPM2_NUMBER = 32, CTPM2_MESSAGE = 1024, CTPM2_ATTESTED = 2048 };

/// An ECDSA signature as two big-endian numbers.
typedef struct {
    uint8_t r[CTPM2_NUMBER], s[CTPM2_NUMBER];
} ctpm2_signature;

/// Derives the key from `seed` and writes the coordinates of its public point. The derivation is
/// deterministic for the same TPM and seed.
bool ctpm2_derive_key(
    ctpm2_device *device, const uint8_t *seed, uint8_t *x, uint8_t *y, ctpm2_failure *failure);

/// Signs the SHA-256 of `message`, which has at most CTPM2_MESSAGE bytes. The TPM computes the hash, because
/// a restricted key must not sign data that looks like a quote.
bool ctpm2_sign(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *message, size_t count,
    ctpm2_signature *signature, ctpm2_failure *failure);

/// Creates a quote of PCR 7 (the Secure Boot state, SHA-256 bank) with `hash` (32 bytes) as extra data.
/// `attested` must have space for CTPM2_ATTESTED bytes. Sets `count` to the number of bytes written.
bool ctpm2_quote(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *hash, uint8_t *attested, size_t *count,
    ctpm2_signature *signature, ctpm2_failure *failure);

#endif
