/// AES-256-GCM. A sealed text is 12 bytes nonce, the encrypted bytes, 16 bytes tag.
#ifndef COPENSSL_SEALING_H
#define COPENSSL_SEALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a sealed text is longer than what it holds.
enum { COPENSSL_SEAL_OVERHEAD = 28 };

/// What is not encrypted, and without which the sealed text does not open.
struct copenssl_context {
    const uint8_t *bytes;
    size_t count;
};

/// `key` has 32 bytes; `sealed` has room for `count` + COPENSSL_SEAL_OVERHEAD. The nonce is random.
bool copenssl_seal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *plain, size_t count, uint8_t *sealed);

/// `plain` has room for `count` - COPENSSL_SEAL_OVERHEAD. False: another key or context, or altered; `plain` is void.
bool copenssl_unseal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *sealed, size_t count, uint8_t *plain);

#endif
