/// Secrets in the session's Secret Service through libsecret, for callers that know neither GLib nor D-Bus.
/// The calls block without a limit, and GDBus ends the process with SIGTERM if the session bus closes: they are for
/// a process that ends after one call and that its parent kills when it takes too long.
#ifndef CSECRET_H
#define CSECRET_H

#include <stdbool.h>

/// The attributes that identify a secret.
typedef struct {
    const char *account, *origin, *type, *subject;
} csecret_name;

typedef enum {
    CSECRET_DONE,
    /// There is no such secret, and no locked keyring that could hold it.
    CSECRET_ABSENT,
    /// No program offers a Secret Service on the session bus, or there is no bus.
    CSECRET_NO_SERVICE,
    /// There is a service, but no keyring for new secrets.
    CSECRET_NO_KEYRING,
    /// The keyring is locked, and the person was not asked or did not unlock it.
    CSECRET_LOCKED,
    /// The service did not answer.
    CSECRET_TIMED_OUT,
    CSECRET_REFUSED,
    /// libsecret is not installed.
    CSECRET_NO_LIBRARY,
} csecret_outcome;

/// How a call is made, and why it failed.
typedef struct {
    bool may_prompt;  // whether the person may be asked to unlock a keyring
    char text[256];   // GLib's message, UTF-8
} csecret_call;

/// Returns whether a new secret could be stored now.
csecret_outcome csecret_probe(csecret_call *call);

/// Sets `text` to the secret, to be freed by `csecret_free`.
csecret_outcome csecret_lookup(csecret_call *call, csecret_name name, char **text);

/// Stores `text` in the default keyring and replaces a secret of that name. `label` is shown to the person.
csecret_outcome csecret_store(csecret_call *call, csecret_name name, const char *label, const char *text);

/// Deletes all secrets of that name. It is no failure if there is none.
csecret_outcome csecret_delete(csecret_call *call, csecret_name name);

/// Wipes and frees.
void csecret_free(char *text);

#endif
