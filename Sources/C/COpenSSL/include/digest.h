/// SHA-256 and what is derived with it. OpenSSL's own interface wants contexts and parameter lists.
#ifndef COPENSSL_DIGEST_H
#define COPENSSL_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes 32 bytes to `digest`.
bool copenssl_sha256(const uint8_t *bytes, size_t count, uint8_t *digest);

/// HKDF of RFC 5869 with SHA-256.
bool copenssl_hkdf(
    const uint8_t *secret, size_t secret_count, const uint8_t *salt, size_t salt_count, const char *purpose,
    uint8_t *derived, size_t derived_count);

/// Fills `bytes` with what nobody can guess.
bool copenssl_random(uint8_t *bytes, size_t count);

#endif
