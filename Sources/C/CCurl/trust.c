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
    /// Whether the store contains all of the system's CAs. If not, CAs are loaded on demand.
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

/// Returns whether the system's CAs are also in a directory with hashed names, such as `002c0b4f.0`, in which
/// OpenSSL can look up a single CA.
static int has_hashed_directory(void) {
    // An environment variable that names a CA file takes precedence.
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

/// Loads CAs on demand from the hashed directory, because connections usually need only one. Parsing all CAs
/// takes a tenth of a second, and more than a megabyte for the lifetime of the process.
static int use_directory(X509_STORE *store) {
    X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_hash_dir());
    return lookup && X509_LOOKUP_add_dir(lookup, NULL, X509_FILETYPE_DEFAULT);
}

int ccurl_trust_load(ccurl_trust *trust, const char *ca_file) {
    X509_STORE *store = X509_STORE_new();
    if (!store) return 0;
    // The flags of libcurl's own store: prefer the shortest path to a trusted CA over the presented chain.
    X509_STORE_set_flags(store, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN);
    trust->is_whole = !has_hashed_directory();
    int found = trust->is_whole ? X509_STORE_set_default_paths(store) : use_directory(store);
    int loaded = found && (!ca_file || X509_STORE_load_file(store, ca_file));
    // A missing system bundle leaves errors in the queue, which libcurl would report as errors of a
    // connection.
    ERR_clear_error();
    if (!loaded) {
        X509_STORE_free(store);
        return 0;
    }
    // An existing connection has its own reference to the old store.
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

/// Verifies the chain and the pins during the handshake, so that a mismatch ends the handshake before a byte
/// of the request is sent. Only the verified chain is compared with the pins, because other certificates from
/// the server prove nothing.
static int verify(X509_STORE_CTX *context, void *argument) {
    ccurl_trust *trust = argument;
    int verified = X509_verify_cert(context);
    if (verified <= 0 && !trust->is_whole) {
        // The CA may be only in the bundle file, so load the file for the next attempt.
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

/// libcurl's own callback, which is the same for all contexts.
static int (*cache_session)(SSL *, SSL_SESSION *);

/// Caches a copy of a new session. OpenSSL invalidates the session of a connection that ends without an
/// alert, which is how libcurl 7.88 closes HTTP/2 connections.
static int cache_copy(SSL *connection, SSL_SESSION *session) {
    SSL_SESSION *copy = SSL_SESSION_dup(session);
    // The callback returns whether it takes ownership of its argument. OpenSSL keeps the original.
    if (copy && !cache_session(connection, copy)) SSL_SESSION_free(copy);
    return 0;
}

static CURLcode prepare(CURL *easy, void *ssl_context, void *argument) {
    (void)easy;
    ccurl_trust *trust = argument;
    if (!trust->store || !SSL_CTX_set1_verify_cert_store(ssl_context, trust->store))
        return CURLE_SSL_CACERT_BADFILE;
    SSL_CTX_set_cert_verify_callback(ssl_context, verify, trust);
    // Enables tickets, which libcurl disables. Without tickets, a TLS 1.2 session would depend on the session
    // cache of the server, which removes the session if the server closes the connection without an alert.
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
    // Without these options, libcurl would parse its own bundle, a megabyte for each handle.
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, 0L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    // A resumed session is not verified again, so only sessions that this trust store verified may be
    // resumed.
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, sessions ? 1L : 0L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SHARE, sessions);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, trust);
    return code ? code : curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, prepare);
}
