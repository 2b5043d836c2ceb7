/// Secrets in the session's Secret Service through libsecret, for callers that know neither GLib nor D-Bus.
/// A call blocks its thread, but never longer than its limit and a second. Threads may change between calls,
/// but only one calls at a time.
#ifndef CSECRET_H
#define CSECRET_H

#include <stdbool.h>
#include <stdint.h>

/// What a secret is found by.
typedef struct {
    const char *account, *origin, *type, *subject;
} csecret_name;

typedef enum {
    CSECRET_DONE,
    /// There is no such secret, and no locked keyring that could hold it.
    CSECRET_ABSENT,
    /// Nobody offers a Secret Service on the session bus, or there is no bus.
    CSECRET_NO_SERVICE,
    /// There is a service, but no keyring for new secrets.
    CSECRET_NO_KEYRING,
    /// The keyring is locked, and the person was not asked or did not unlock it.
    CSECRET_LOCKED,
    /// No answer within the limit.
    CSECRET_TIMED_OUT,
    CSECRET_CANCELLED,
    CSECRET_REFUSED,
} csecret_outcome;

/// Ends a call from any other thread.
typedef struct csecret_stop csecret_stop;
csecret_stop *csecret_stop_new(void);
void csecret_stop_now(csecret_stop *stop);
void csecret_stop_free(csecret_stop *stop);

/// How a call is made, and what became of it.
typedef struct {
    uint32_t limit;   // milliseconds
    bool may_prompt;  // whether the person may be asked to unlock a keyring
    csecret_stop *stop;
    char text[256];  // what GLib says of a failure, UTF-8
} csecret_call;

/// Whether new secrets can be kept right now.
csecret_outcome csecret_probe(csecret_call *call);

/// Sets `text` to the secret, to be freed by `csecret_free`.
csecret_outcome csecret_lookup(csecret_call *call, csecret_name name, char **text);

/// Puts `text` in the default keyring, in the place of a secret of that name. `label` is shown to the person.
csecret_outcome csecret_store(csecret_call *call, csecret_name name, const char *label, const char *text);

/// An absent one is deleted.
csecret_outcome csecret_delete(csecret_call *call, csecret_name name);

/// Wipes and frees.
void csecret_free(char *text);

#endif
