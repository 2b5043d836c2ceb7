/// ECDSA on P-256 with SHA-256, and verification of RSASSA-PKCS1-v1_5 with SHA-256. Keys and ECDSA signatures
/// are in DER. Functions that write to `room` return the size; 0 means failure.
#ifndef COPENSSL_SIGNING_H
#define COPENSSL_SIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The required size of `room` in bytes, which is sufficient for all keys and signatures of these functions.
enum { COPENSSL_DER_ROOM = 256 };

/// Creates a key and writes it as PKCS#8.
size_t copenssl_p256_new(uint8_t *room);

/// Writes the SubjectPublicKeyInfo of a PKCS#8 key.
size_t copenssl_p256_public(const uint8_t *key, size_t count, uint8_t *room);

/// Writes the SubjectPublicKeyInfo of the point (x, y), 32 bytes each. Fails if the point is not on the
/// curve.
size_t copenssl_p256_point(const uint8_t *x, const uint8_t *y, uint8_t *room);

/// Signs the SHA-256 of `message`.
size_t copenssl_p256_sign(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, uint8_t *room);

/// Writes the signature (r, s) in DER.
size_t copenssl_p256_signature(
    const uint8_t *r, size_t r_count, const uint8_t *s, size_t s_count, uint8_t *room);

/// Returns whether `signature` over the SHA-256 of `message` is valid. `key`: the SubjectPublicKeyInfo of a
/// P-256 key.
bool copenssl_p256_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count);

/// Returns whether `signature` over the SHA-256 of `message` is valid. `key`: the SubjectPublicKeyInfo of an
/// RSA key.
bool copenssl_rsa_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count);

#endif
