#include "trust.h"

#include <dirent.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <stdlib.h>
#include <string.h>

enum { PIN_SIZE = 32 };

struct ccurl_trust {
    X509_STORE *store;
    /// Whether the store contains all CAs of the system. If 0, OpenSSL loads a CA when it is needed.
    int is_whole;
    uint8_t *pins;
    size_t count;
};

ccurl_trust *ccurl_trust_make(const uint8_t *pins, size_t count) {
    ccurl_trust *trust = calloc(1, sizeof *trust);
    if (!trust || count == 0) return trust;
    trust->pins = malloc(count * PIN_SIZE);
    if (!trust->pins) {
        free(trust);
        return NULL;
    }
    memcpy(trust->pins, pins, count * PIN_SIZE);
    trust->count = count;
    return trust;
}

void ccurl_trust_free(ccurl_trust *trust) {
    if (!trust) return;
    X509_STORE_free(trust->store);
    free(trust->pins);
    free(trust);
}

/// Returns whether the CAs of the system are also in a directory with hashed file names (such as
/// `002c0b4f.0`), from which OpenSSL can load a single CA.
static int has_hashed_directory(void) {
    // If an environment variable names a CA file, that file is used instead of the directory.
    if (getenv(X509_get_default_cert_file_env())) return 0;
    const char *path = getenv(X509_get_default_cert_dir_env());
    DIR *directory = opendir(path ? path : X509_get_default_cert_dir());
    int found = 0;
    for (struct dirent *entry; directory && !found && (entry = readdir(directory));)
        found = strlen(entry->d_name) == 10 && strspn(entry->d_name, "0123456789abcdef") == 8
            && strcmp(entry->d_name + 8, ".0") == 0;
    if (directory) closedir(directory);
    return found;
}

/// Makes the store load a CA from the hashed directory when it is needed. Most connections need only one CA,
/// whereas parsing all CAs takes 0.1 s and more than 1 MB for the lifetime of the process.
static int use_directory(X509_STORE *store) {
    X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_hash_dir());
    return lookup && X509_LOOKUP_add_dir(lookup, NULL, X509_FILETYPE_DEFAULT);
}

int ccurl_trust_load(ccurl_trust *trust, const char *ca_file) {
    X509_STORE *store = X509_STORE_new();
    if (!store) return 0;
    // Set the same flags as libcurl: prefer the shortest path to a trusted CA over the chain that the server
    // sent.
    X509_STORE_set_flags(store, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN);
    trust->is_whole = !has_hashed_directory();
    int found = trust->is_whole ? X509_STORE_set_default_paths(store) : use_directory(store);
    int loaded = found && (!ca_file || X509_STORE_load_file(store, ca_file));
    // If the system has no CA bundle, clear the errors of OpenSSL, because libcurl would otherwise report
    // these errors for a connection.
    ERR_clear_error();
    if (!loaded) {
        X509_STORE_free(store);
        return 0;
    }
    // Existing connections keep the old store alive with their own references.
    X509_STORE_free(trust->store);
    trust->store = store;
    return 1;
}

static int is_pinned(const ccurl_trust *trust, X509 *certificate) {
    unsigned char *key = NULL, hash[PIN_SIZE];
    int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key);
    if (length <= 0) return 0;
    int hashed = EVP_Digest(key, (size_t)length, hash, NULL, EVP_sha256(), NULL);
    OPENSSL_free(key);
    for (size_t i = 0; hashed && i < trust->count; i++)
        if (memcmp(hash, trust->pins + i * PIN_SIZE, PIN_SIZE) == 0) return 1;
    return 0;
}

/// Verifies the chain and the pins during the handshake, so that no byte of the request is sent after a
/// mismatch. Compares only the verified chain with the pins, because the server can send other certificates
/// that prove nothing.
static int verify(X509_STORE_CTX *context, void *argument) {
    ccurl_trust *trust = argument;
    int verified = X509_verify_cert(context);
    if (verified <= 0 && !trust->is_whole) {
        // The verification may have failed because the CA is missing from the directory, so load the complete
        // CA bundle for the next attempt.
        trust->is_whole = 1;
        X509_STORE_set_default_paths(trust->store);
        ERR_clear_error();
    }
    if (verified <= 0 || trust->count == 0) return verified;
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(context);
    for (int i = 0; i < sk_X509_num(chain); i++)
        if (is_pinned(trust, sk_X509_value(chain, i))) return 1;
    X509_STORE_CTX_set_error(context, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
}

/// The session callback of libcurl, which is the same function for all SSL contexts.
static int (*cache_session)(SSL *, SSL_SESSION *);

/// Caches a copy of a new session. A copy is necessary because OpenSSL invalidates the session of a
/// connection that is closed without an alert, as libcurl 7.88 does with HTTP/2 connections.
static int cache_copy(SSL *connection, SSL_SESSION *session) {
    SSL_SESSION *copy = SSL_SESSION_dup(session);
    // `cache_session` returns whether it took ownership of the copy. OpenSSL keeps ownership of the original.
    if (copy && !cache_session(connection, copy)) SSL_SESSION_free(copy);
    return 0;
}

static CURLcode prepare(CURL *easy, void *ssl_context, void *argument) {
    (void)easy;
    ccurl_trust *trust = argument;
    if (!trust->store || !SSL_CTX_set1_verify_cert_store(ssl_context, trust->store))
        return CURLE_SSL_CACERT_BADFILE;
    SSL_CTX_set_cert_verify_callback(ssl_context, verify, trust);
    // Enable session tickets, which libcurl disables. Without a ticket, resuming a TLS 1.2 session depends on
    // the cache of the server, which drops the session if the connection is closed without an alert.
    SSL_CTX_clear_options(ssl_context, SSL_OP_NO_TICKET);
    cache_session = SSL_CTX_sess_get_new_cb(ssl_context);
    if (cache_session) SSL_CTX_sess_set_new_cb(ssl_context, cache_copy);
    return CURLE_OK;
}

CURLSH *ccurl_sessions_make(void) {
    CURLSH *sessions = curl_share_init();
    if (!sessions || !curl_share_setopt(sessions, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION))
        return sessions;
    curl_share_cleanup(sessions);
    return NULL;
}

void ccurl_sessions_free(CURLSH *sessions) {
    if (sessions) curl_share_cleanup(sessions);
}

CURLcode ccurl_use_trust(CURL *easy, ccurl_trust *trust, CURLSH *sessions) {
    // Remove the default CA settings, because libcurl would otherwise parse a bundle of 1 MB for each handle.
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, 0L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    // Use only the session cache of this trust store, because a resumed session is not verified again.
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, sessions ? 1L : 0L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SHARE, sessions);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, trust);
    return code ? code : curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, prepare);
}
