#include "signing.h"

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string.h>

/// Copies `size` bytes from `encoded` to `room`, and erases and frees `encoded`. Returns the size; 0 if the
/// bytes do not fit.
static size_t move_to_room(unsigned char *encoded, int size, uint8_t *room) {
    bool fits = size > 0 && size <= COPENSSL_DER_ROOM;
    if (fits) memcpy(room, encoded, (size_t)size);
    if (size > 0) OPENSSL_clear_free(encoded, (size_t)size);
    return fits ? (size_t)size : 0;
}

static EVP_PKEY *only_p256(EVP_PKEY *key) {
    char group[32];
    if (key != NULL && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1
        && strcmp(group, SN_X9_62_prime256v1) == 0)
        return key;
    EVP_PKEY_free(key);
    return NULL;
}

static EVP_PKEY *private_key(const uint8_t *bytes, size_t count) {
    if (count > LONG_MAX) return NULL;
    return only_p256(d2i_AutoPrivateKey(NULL, &bytes, (long)count));
}

size_t copenssl_p256_create_key(uint8_t *room) {
    EVP_PKEY *key = EVP_EC_gen(SN_X9_62_prime256v1);
    if (key == NULL) return 0;
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
    unsigned char *encoded = NULL;
    int size = info == NULL ? 0 : i2d_PKCS8_PRIV_KEY_INFO(info, &encoded);
    PKCS8_PRIV_KEY_INFO_free(info);
    EVP_PKEY_free(key);
    return move_to_room(encoded, size, room);
}

static size_t write_public_key(EVP_PKEY *key, uint8_t *room) {
    if (key == NULL) return 0;
    unsigned char *encoded = NULL;
    int size = i2d_PUBKEY(key, &encoded);
    EVP_PKEY_free(key);
    return move_to_room(encoded, size, room);
}

size_t copenssl_p256_write_public_key(const uint8_t *key, size_t count, uint8_t *room) {
    return write_public_key(private_key(key, count), room);
}

size_t copenssl_p256_write_point(const uint8_t *x, const uint8_t *y, uint8_t *room) {
    uint8_t point[65] = {POINT_CONVERSION_UNCOMPRESSED};
    memcpy(point + 1, x, 32);
    memcpy(point + 33, y, 32);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, SN_X9_62_prime256v1, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    bool made = context != NULL && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) == 1;
    EVP_PKEY_CTX_free(context);
    return made ? write_public_key(key, room) : 0;
}

size_t copenssl_p256_sign(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, uint8_t *room) {
    EVP_PKEY *private = private_key(key, key_count);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t size = COPENSSL_DER_ROOM;
    bool done = private != NULL && context != NULL
        && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, private) == 1
        && EVP_DigestSign(context, room, &size, message, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(private);
    return done ? size : 0;
}

size_t copenssl_p256_write_signature(
    const uint8_t *r, size_t r_count, const uint8_t *s, size_t s_count, uint8_t *room) {
    if (r_count > 32 || s_count > 32) return 0;
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *first = BN_bin2bn(r, (int)r_count, NULL), *second = BN_bin2bn(s, (int)s_count, NULL);
    if (signature == NULL || ECDSA_SIG_set0(signature, first, second) != 1) {
        BN_free(first);
        BN_free(second);
        ECDSA_SIG_free(signature);
        return 0;
    }
    unsigned char *encoded = NULL;
    int size = i2d_ECDSA_SIG(signature, &encoded);
    ECDSA_SIG_free(signature);
    return move_to_room(encoded, size, room);
}

/// Verifies a signature. Frees `public`.
static bool verifies(
    EVP_PKEY *public, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good = public != NULL && context != NULL
        && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, public) == 1
        && EVP_DigestVerify(context, signature, signature_count, message, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(public);
    return good;
}

bool copenssl_p256_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count) {
    if (key_count > LONG_MAX) return false;
    EVP_PKEY *public = only_p256(d2i_PUBKEY(NULL, &key, (long)key_count));
    return verifies(public, message, count, signature, signature_count);
}

bool copenssl_rsa_verify(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, const uint8_t *signature,
    size_t signature_count) {
    if (key_count > LONG_MAX) return false;
    EVP_PKEY *public = d2i_PUBKEY(NULL, &key, (long)key_count);
    if (public != NULL && EVP_PKEY_is_a(public, "RSA") != 1) {
        EVP_PKEY_free(public);
        return false;
    }
    return verifies(public, message, count, signature, signature_count);
}
