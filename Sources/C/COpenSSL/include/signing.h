/// ECDSA on P-256 with SHA-256, and RSASSA-PKCS1-v1_5 with SHA-256 to verify. Keys and ECDSA signatures are DER;
/// sizes come back, 0 is a failure.
#ifndef COPENSSL_SIGNING_H
#define COPENSSL_SIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The bytes that every `room` has: enough for any key or signature here.
enum { COPENSSL_DER_ROOM = 256 };

/// Makes a key and writes it as PKCS#8.
size_t copenssl_p256_new(uint8_t *room);

/// The SubjectPublicKeyInfo of a PKCS#8 key.
size_t copenssl_p256_public(const uint8_t *key, size_t count, uint8_t *room);

/// The SubjectPublicKeyInfo of the point x, y, 32 bytes each. 0 also where it is not on the curve.
size_t copenssl_p256_point(const uint8_t *x, const uint8_t *y, uint8_t *room);

/// Signs SHA-256 of `message`.
size_t copenssl_p256_sign(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, uint8_t *room);

/// The DER form of a signature's two numbers.
size_t copenssl_p256_signature(
    const uint8_t *r, size_t r_count, const uint8_t *s, size_t s_count, uint8_t *room);

/// Whether `signature` over SHA-256 of `message` is from the key of that SubjectPublicKeyInfo.
bool copenssl_p256_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count);

/// Whether `signature` over SHA-256 of `message` is from the RSA key of that SubjectPublicKeyInfo.
bool copenssl_rsa_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count);

#endif
