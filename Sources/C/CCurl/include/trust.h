/// The trust store of connections: the CAs of the system, an additional CA file, and pinned keys. The
/// functions are written in C, because OpenSSL requires a C callback. libcurl's own pin option is not used,
/// because it compares only the leaf certificate.
#ifndef CCURL_TRUST_H
#define CCURL_TRUST_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_trust ccurl_trust;

/// Creates a trust store, which must outlive all connections that use it. `pins` contains `count` SHA-256
/// hashes of 32 bytes each, which are copied. If `count` is 0, any verified chain is accepted. Returns NULL
/// if memory is exhausted.
ccurl_trust *ccurl_trust_make(const uint8_t *pins, size_t count);

void ccurl_trust_free(ccurl_trust *trust);

/// Loads the CAs of the system and of `ca_file` (a PEM file; may be NULL) for new connections. If `ca_file`
/// cannot be read or contains no certificate, returns 0 and keeps the previous CAs.
int ccurl_trust_load(ccurl_trust *trust, const char *ca_file);

/// Creates a TLS session cache for the handles of one thread. Returns NULL if memory is exhausted.
CURLSH *ccurl_sessions_make(void);

/// Frees the cache. Must be called after all handles that use the cache were freed.
void ccurl_sessions_free(CURLSH *sessions);

/// Makes `easy` verify connections with `trust`, or resume sessions from the cache `sessions`. The cache must
/// not be used with another trust store. If `sessions` is NULL, no session is resumed.
CURLcode ccurl_use_trust(CURL *easy, ccurl_trust *trust, CURLSH *sessions);

#endif
