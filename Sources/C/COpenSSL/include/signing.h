/// ECDSA signatures (P-256, SHA-256), and verification of RSASSA-PKCS1-v1_5 signatures (SHA-256). Keys and
/// ECDSA signatures are in DER. A function that writes to `room` returns the number of bytes, or 0 on
/// failure.
#ifndef COPENSSL_SIGNING_H
#define COPENSSL_SIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The size of `room` in bytes. This size is sufficient for all keys and signatures of these functions.
enum { COPENSSL_DER_ROOM = 256 };

/// Creates a private key and writes it in PKCS#8 format.
size_t copenssl_p256_create_key(uint8_t *room);

/// Writes the SubjectPublicKeyInfo of a private key in PKCS#8 format.
size_t copenssl_p256_write_public_key(const uint8_t *key, size_t count, uint8_t *room);

/// Writes the SubjectPublicKeyInfo of the point (x, y). Each coordinate has 32 bytes. Fails if the point is
/// not on the curve.
size_t copenssl_p256_write_point(const uint8_t *x, const uint8_t *y, uint8_t *room);

/// Signs the SHA-256 of `message` and writes the signature.
size_t copenssl_p256_sign(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, uint8_t *room);

/// Converts the signature (r, s) to DER and writes it.
size_t copenssl_p256_write_signature(
    const uint8_t *r, size_t r_count, const uint8_t *s, size_t s_count, uint8_t *room);

/// Returns whether `signature` is a valid signature of the SHA-256 of `message`. `key` is the
/// SubjectPublicKeyInfo of a P-256 key.
bool copenssl_p256_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count);

/// Returns whether `signature` is a valid signature of the SHA-256 of `message`. `key` is the
/// SubjectPublicKeyInfo of an RSA key.
bool copenssl_rsa_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count);

#endif
