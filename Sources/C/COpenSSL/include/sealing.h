/// AES-256-GCM. Sealed data consists of a nonce of 12 bytes, the encrypted bytes and a tag of 16 bytes.
#ifndef COPENSSL_SEALING_H
#define COPENSSL_SEALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The number of bytes that sealing adds.
enum { COPENSSL_SEAL_OVERHEAD = 28 };

/// Additional authenticated data, which is not encrypted but required for unsealing.
struct copenssl_context {
    const uint8_t *bytes;
    size_t count;
};

/// Encrypts `count` bytes with a random nonce. `key` has 32 bytes; `sealed` needs `count` +
/// COPENSSL_SEAL_OVERHEAD bytes.
bool copenssl_seal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *plain, size_t count, uint8_t *sealed);

/// Decrypts `count` bytes; `plain` needs `count` - COPENSSL_SEAL_OVERHEAD bytes. Returns false if the key or
/// the context differs, or if the data was altered; the content of `plain` is then not authentic.
bool copenssl_unseal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *sealed, size_t count, uint8_t *plain);

#endif
