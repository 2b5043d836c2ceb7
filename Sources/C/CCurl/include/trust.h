/// Whom a connection believes: the system's CAs, a private CA file on top of them, and pins.
/// OpenSSL wants a C callback for it, and libcurl's own pin option sees the leaf only.
#ifndef CCURL_TRUST_H
#define CCURL_TRUST_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_trust ccurl_trust;

/// `pins` holds `count` SHA-256 hashes of 32 bytes, copied; none means that any verified chain will do.
/// NULL when memory ran out. It must outlive every connection made with it.
ccurl_trust *ccurl_trust_make(const uint8_t *pins, size_t count);

void ccurl_trust_free(ccurl_trust *trust);

/// Reads the system's CAs and those of `ca_file` (PEM; NULL for none) anew, for the connections to come.
/// 0 when `ca_file` cannot be read or holds no certificate: what was read before stays.
int ccurl_trust_load(ccurl_trust *trust, const char *ca_file);

/// Every connection that `easy` opens is verified with `trust`.
CURLcode ccurl_use_trust(CURL *easy, ccurl_trust *trust);

#endif
