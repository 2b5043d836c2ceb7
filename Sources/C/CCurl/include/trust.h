/// The trust store of connections: the system's CAs, an additional CA file, and pins. Written in C because
/// OpenSSL needs a C callback, and because libcurl's own pin option compares only the leaf certificate.
#ifndef CCURL_TRUST_H
#define CCURL_TRUST_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_trust ccurl_trust;

/// Creates a trust store; returns NULL if memory is exhausted. `pins` contains `count` SHA-256 hashes of 32
/// bytes, which are copied; without pins, any verified chain is accepted. The result must outlive all
/// connections that use it.
ccurl_trust *ccurl_trust_make(const uint8_t *pins, size_t count);

void ccurl_trust_free(ccurl_trust *trust);

/// Reloads the system's CAs and those of `ca_file` (PEM; NULL for none), for new connections. Returns 0 if
/// `ca_file` cannot be read or contains no certificate; the previous CAs then stay in use.
int ccurl_trust_load(ccurl_trust *trust, const char *ca_file);

/// Creates a cache of TLS sessions, for handles of one thread. Returns NULL if memory is exhausted.
CURLSH *ccurl_sessions_make(void);

/// Frees the cache. Must be called after all handles that use the cache were freed.
void ccurl_sessions_free(CURLSH *sessions);

/// Verifies each connection of `easy` with `trust`, or resumes a session from `sessions`, which must be used
/// only with the same `trust`. With NULL for `sessions`, no session is resumed.
CURLcode ccurl_use_trust(CURL *easy, ccurl_trust *trust, CURLSH *sessions);

#endif
