/// The trust of a connection: the system's CAs, an additional CA file, and pins. OpenSSL needs a C callback
/// for it, and libcurl's own pin option compares the leaf certificate only.
#ifndef CCURL_TRUST_H
#define CCURL_TRUST_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_trust ccurl_trust;

/// `pins` holds `count` SHA-256 hashes of 32 bytes, which are copied; without pins, any verified chain is
/// accepted. Returns NULL if memory is exhausted. The result must outlive every connection that uses it.
ccurl_trust *ccurl_trust_make(const uint8_t *pins, size_t count);

void ccurl_trust_free(ccurl_trust *trust);

/// Reads the system's CAs and those of `ca_file` (PEM, or NULL) again, for new connections. Returns 0 if
/// `ca_file` cannot be read or holds no certificate; the previous CAs then stay in use.
int ccurl_trust_load(ccurl_trust *trust, const char *ca_file);

/// A cache of TLS sessions for handles of one thread. Returns NULL if memory is exhausted.
CURLSH *ccurl_sessions_make(void);

/// Must be called after all handles that use the cache were cleaned up.
void ccurl_sessions_free(CURLSH *sessions);

/// Verifies each connection of `easy` with `trust`, or resumes one of `sessions`, which only connections with
/// the same trust may use. NULL for `sessions` resumes none.
CURLcode ccurl_use_trust(CURL *easy, ccurl_trust *trust, CURLSH *sessions);

#endif
