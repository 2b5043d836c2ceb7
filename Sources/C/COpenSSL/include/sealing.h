/// Authenticated encryption with AES-256-GCM. Sealed data consists of a nonce (12 bytes), the ciphertext and
/// a tag (16 bytes).
#ifndef COPENSSL_SEALING_H
#define COPENSSL_SEALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The size of the nonce and the tag, in bytes.
enum { COPENSSL_SEAL_OVERHEAD = 28 };

/// Associated data, which is authenticated but not stored. Unsealing requires the same data.
struct copenssl_context {
    const uint8_t *bytes;
    size_t count;
};

/// Encrypts `count` bytes with a random nonce. `key` must have 32 bytes, and `sealed` space for `count` +
/// COPENSSL_SEAL_OVERHEAD bytes.
bool copenssl_seal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *plain, size_t count, uint8_t *sealed);

/// Decrypts `count` bytes. `plain` must have space for `count` - COPENSSL_SEAL_OVERHEAD bytes. Returns false
/// if the key or the context is wrong, or if the data was modified; `plain` must then not be used.
bool copenssl_unseal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *sealed, size_t count, uint8_t *plain);

#endif
