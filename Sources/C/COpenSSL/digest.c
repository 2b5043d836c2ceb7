#include "digest.h"

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <string.h>

bool copenssl_sha256(const uint8_t *bytes, size_t count, uint8_t *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL) == 1;
}

bool copenssl_hkdf(
    const uint8_t *secret, size_t secret_count, const uint8_t *salt, size_t salt_count, const char *purpose,
    uint8_t *derived, size_t derived_count) {
    EVP_KDF *kind = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kind);
    EVP_KDF_free(kind);
    if (context == NULL) return false;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)purpose, strlen(purpose)),
        OSSL_PARAM_construct_end(),
    };
    bool done = EVP_KDF_derive(context, derived, derived_count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return done;
}

bool copenssl_random(uint8_t *bytes, size_t count) {
    return count <= INT_MAX && RAND_bytes(bytes, (int)count) == 1;
}
