#include "sealing.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

enum { NONCE = 12, TAG = 16 };

static bool encrypt(
    EVP_CIPHER_CTX *cipher, const uint8_t *key, struct copenssl_context context, const uint8_t *plain, int count,
    uint8_t *sealed) {
    uint8_t *body = sealed + NONCE;
    int written = 0, last = 0;
    return RAND_bytes(sealed, NONCE) == 1
        && EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, sealed) == 1
        && EVP_EncryptUpdate(cipher, NULL, &written, context.bytes, (int)context.count) == 1
        && EVP_EncryptUpdate(cipher, body, &written, plain, count) == 1
        && EVP_EncryptFinal_ex(cipher, body + written, &last) == 1
        && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, TAG, body + count) == 1;
}

bool copenssl_seal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *plain, size_t count, uint8_t *sealed) {
    if (count > INT_MAX - COPENSSL_SEAL_OVERHEAD || context.count > INT_MAX) return false;
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    bool done = cipher != NULL && encrypt(cipher, key, context, plain, (int)count, sealed);
    EVP_CIPHER_CTX_free(cipher);
    return done;
}

static bool decrypt(
    EVP_CIPHER_CTX *cipher, const uint8_t *key, struct copenssl_context context, const uint8_t *sealed, int count,
    uint8_t *plain) {
    const uint8_t *body = sealed + NONCE;
    int written = 0, last = 0;
    return EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, sealed) == 1
        && EVP_DecryptUpdate(cipher, NULL, &written, context.bytes, (int)context.count) == 1
        && EVP_DecryptUpdate(cipher, plain, &written, body, count) == 1
        && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, TAG, (void *)(body + count)) == 1
        && EVP_DecryptFinal_ex(cipher, plain + written, &last) == 1;
}

bool copenssl_unseal(
    const uint8_t *key, struct copenssl_context context, const uint8_t *sealed, size_t count, uint8_t *plain) {
    if (count < COPENSSL_SEAL_OVERHEAD || count > INT_MAX || context.count > INT_MAX) return false;
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    bool done =
        cipher != NULL && decrypt(cipher, key, context, sealed, (int)count - COPENSSL_SEAL_OVERHEAD, plain);
    EVP_CIPHER_CTX_free(cipher);
    return done;
}
