#include "sealing.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

enum { NONCE = 12, TAG = 16 };

static bool encrypt(
    EVP_CIPHER_CTX *context, const uint8_t *key, const uint8_t *plain, int count, uint8_t *sealed) {
    uint8_t *body = sealed + NONCE;
    int written = 0, last = 0;
    return RAND_bytes(sealed, NONCE) == 1
        && EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, sealed) == 1
        && EVP_EncryptUpdate(context, body, &written, plain, count) == 1
        && EVP_EncryptFinal_ex(context, body + written, &last) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG, body + count) == 1;
}

bool copenssl_seal(const uint8_t *key, const uint8_t *plain, size_t count, uint8_t *sealed) {
    if (count > INT_MAX - COPENSSL_SEAL_OVERHEAD) return false;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool done = context != NULL && encrypt(context, key, plain, (int)count, sealed);
    EVP_CIPHER_CTX_free(context);
    return done;
}

static bool decrypt(
    EVP_CIPHER_CTX *context, const uint8_t *key, const uint8_t *sealed, int count, uint8_t *plain) {
    const uint8_t *body = sealed + NONCE;
    int written = 0, last = 0;
    return EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, sealed) == 1
        && EVP_DecryptUpdate(context, plain, &written, body, count) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, TAG, (void *)(body + count)) == 1
        && EVP_DecryptFinal_ex(context, plain + written, &last) == 1;
}

bool copenssl_unseal(const uint8_t *key, const uint8_t *sealed, size_t count, uint8_t *plain) {
    if (count < COPENSSL_SEAL_OVERHEAD || count > INT_MAX) return false;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool done =
        context != NULL && decrypt(context, key, sealed, (int)count - COPENSSL_SEAL_OVERHEAD, plain);
    EVP_CIPHER_CTX_free(context);
    return done;
}
