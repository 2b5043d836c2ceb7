#include "library.h"

#include <string.h>

static TPM2B_PUBLIC template_of(const uint8_t *seed) {
    TPM2B_PUBLIC template = {
        .publicArea = {
            .type = TPM2_ALG_ECC,
            .nameAlg = TPM2_ALG_SHA256,
            // A restricted key signs a hash only if the TPM computed the hash from data that does not start
            // like a quote. Therefore, the key cannot sign a forged quote.
            .objectAttributes = TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_FIXEDTPM
                | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH
                | TPMA_OBJECT_NODA,
            .parameters.eccDetail = {
                .symmetric.algorithm = TPM2_ALG_NULL,
                .scheme = {.scheme = TPM2_ALG_ECDSA, .details.ecdsa.hashAlg = TPM2_ALG_SHA256},
                .curveID = TPM2_ECC_NIST_P256,
                .kdf.scheme = TPM2_ALG_NULL,
            },
            .unique.ecc.x.size = CTPM2_SEED,
        },
    };
    memcpy(template.publicArea.unique.ecc.x.buffer, seed, CTPM2_SEED);
    return template;
}

static bool refused(ctpm2_failure *failure, TSS2_RC code) {
    *failure = (ctpm2_failure){.outcome = CTPM2_REFUSED, .code = code};
    return false;
}

/// Derives the key, as a primary key, from the template and a secret of the TPM. The key therefore need not
/// be stored.
static bool make(
    ctpm2_device *device, const uint8_t *seed, ESYS_TR *key, TPM2B_PUBLIC **public, ctpm2_failure *failure) {
    TPM2B_PUBLIC template = template_of(seed);
    TPM2B_SENSITIVE_CREATE sensitive = {0};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION none = {0};
    TSS2_RC code = device->library->create_primary(
        device->esys, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &template,
        &outside, &none, key, public, NULL, NULL, NULL);
    return code == TSS2_RC_SUCCESS || refused(failure, code);
}

/// Copies a big-endian number and pads it with leading zeros, which a TPM may omit.
static bool put_number(uint8_t *number, const TPM2B_ECC_PARAMETER *value) {
    if (value->size > CTPM2_NUMBER) return false;
    memset(number, 0, CTPM2_NUMBER);
    memcpy(number + CTPM2_NUMBER - value->size, value->buffer, value->size);
    return true;
}

static bool put_signature(ctpm2_signature *signature, const TPMT_SIGNATURE *value, ctpm2_failure *failure) {
    const TPMS_SIGNATURE_ECC *numbers = &value->signature.ecdsa;
    return (value->sigAlg == TPM2_ALG_ECDSA && put_number(signature->r, &numbers->signatureR)
            && put_number(signature->s, &numbers->signatureS))
        || refused(failure, TSS2_ESYS_RC_MALFORMED_RESPONSE);
}

bool ctpm2_derive_key(
    ctpm2_device *device, const uint8_t *seed, uint8_t *x, uint8_t *y, ctpm2_failure *failure) {
    ESYS_TR key = ESYS_TR_NONE;
    TPM2B_PUBLIC *public = NULL;
    if (!make(device, seed, &key, &public, failure)) return false;
    const TPMS_ECC_POINT *point = &public->publicArea.unique.ecc;
    bool done = (put_number(x, &point->x) && put_number(y, &point->y))
        || refused(failure, TSS2_ESYS_RC_MALFORMED_RESPONSE);
    device->library->free(public);
    device->library->flush(device->esys, key);
    return done;
}

static bool sign(
    ctpm2_device *device, ESYS_TR key, const TPM2B_MAX_BUFFER *message, ctpm2_signature *signature,
    ctpm2_failure *failure) {
    const ctpm2_library *library = device->library;
    TPM2B_DIGEST *digest = NULL;
    TPMT_TK_HASHCHECK *ticket = NULL;
    TPMT_SIGNATURE *value = NULL;
    TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_NULL};
    TSS2_RC code = library->hash(
        device->esys, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, message, TPM2_ALG_SHA256, ESYS_TR_RH_OWNER,
        &digest, &ticket);
    if (code == TSS2_RC_SUCCESS)
        code = library->sign(
            device->esys, key, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, digest, &scheme, ticket, &value);
    bool done = code == TSS2_RC_SUCCESS ? put_signature(signature, value, failure) : refused(failure, code);
    library->free(value);
    library->free(ticket);
    library->free(digest);
    return done;
}

bool ctpm2_sign(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *message, size_t count,
    ctpm2_signature *signature, ctpm2_failure *failure) {
    if (count > CTPM2_MESSAGE) return refused(failure, TSS2_ESYS_RC_BAD_SIZE);
    TPM2B_MAX_BUFFER buffer = {.size = (UINT16)count};
    memcpy(buffer.buffer, message, count);
    ESYS_TR key = ESYS_TR_NONE;
    if (!make(device, seed, &key, NULL, failure)) return false;
    bool done = sign(device, key, &buffer, signature, failure);
    device->library->flush(device->esys, key);
    return done;
}

bool ctpm2_quote(
    ctpm2_device *device, const uint8_t *seed, const uint8_t *hash, uint8_t *attested, size_t *count,
    ctpm2_signature *signature, ctpm2_failure *failure) {
    ESYS_TR key = ESYS_TR_NONE;
    if (!make(device, seed, &key, NULL, failure)) return false;
    TPM2B_DATA extra = {.size = 32};
    memcpy(extra.buffer, hash, 32);
    TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_NULL};
    TPML_PCR_SELECTION secure_boot = {
        .count = 1,
        .pcrSelections = {{.hash = TPM2_ALG_SHA256, .sizeofSelect = 3, .pcrSelect = {1 << 7, 0, 0}}},
    };
    TPM2B_ATTEST *quoted = NULL;
    TPMT_SIGNATURE *value = NULL;
    TSS2_RC code = device->library->quote(
        device->esys, key, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &extra, &scheme, &secure_boot,
        &quoted, &value);
    bool done = code == TSS2_RC_SUCCESS ? put_signature(signature, value, failure) : refused(failure, code);
    if (done && quoted->size > CTPM2_ATTESTED) done = refused(failure, TSS2_ESYS_RC_MALFORMED_RESPONSE);
    if (done) memcpy(attested, quoted->attestationData, *count = quoted->size);
    device->library->free(value);
    device->library->free(quoted);
    device->library->flush(device->esys, key);
    return done;
}
