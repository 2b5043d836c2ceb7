/// SHA-256, HKDF and random numbers. Callers need no contexts or parameter lists of OpenSSL.
#ifndef COPENSSL_DIGEST_H
#define COPENSSL_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Computes the SHA-256 of `bytes` and writes 32 bytes to `digest`.
bool copenssl_sha256(const uint8_t *bytes, size_t count, uint8_t *digest);

/// Computes HKDF (RFC 5869) with SHA-256; `purpose` is the info parameter.
bool copenssl_hkdf(
    const uint8_t *secret, size_t secret_count, const uint8_t *salt, size_t salt_count, const char *purpose,
    uint8_t *derived, size_t derived_count);

/// Fills `bytes` with cryptographically secure random bytes.
bool copenssl_random(uint8_t *bytes, size_t count);

#endif
