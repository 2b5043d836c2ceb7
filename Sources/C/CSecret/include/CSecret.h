/// Secrets in the Secret Service of the session, with libsecret. Callers need neither GLib nor D-Bus. Use
/// these functions in a process that ends after one call and that its parent kills after a timeout: the calls
/// block without a limit, and GDBus ends the process with SIGTERM if the session bus closes.
#ifndef CSECRET_H
#define CSECRET_H

#include <stdbool.h>

/// The attributes that identify a secret.
typedef struct {
    const char *account, *origin, *type, *subject;
} csecret_name;

typedef enum {
    CSECRET_DONE,
    /// The secret does not exist, and no locked keyring may contain it.
    CSECRET_ABSENT,
    /// The session bus has no Secret Service, or there is no session bus.
    CSECRET_NO_SERVICE,
    /// The service has no default keyring for new secrets.
    CSECRET_NO_KEYRING,
    /// The keyring is locked, and the user was not asked or did not unlock it.
    CSECRET_LOCKED,
    /// The service did not answer.
    CSECRET_TIMED_OUT,
    CSECRET_REFUSED,
    /// libsecret is not installed.
    CSECRET_NO_LIBRARY,
} csecret_outcome;

/// The options of a call, and its error message.
typedef struct {
    bool may_prompt;  // whether the person may be asked to unlock a keyring
    char text[256];   // GLib's message, UTF-8
} csecret_call;

/// Returns whether a new secret could be stored now.
csecret_outcome csecret_probe(csecret_call *call);

/// Sets `text` to the secret. Free it with `csecret_free`.
csecret_outcome csecret_lookup(csecret_call *call, csecret_name name, char **text);

/// Stores `text` in the default keyring and replaces the secret with that name. Keyring programs show
/// `label`.
csecret_outcome csecret_store(csecret_call *call, csecret_name name, const char *label, const char *text);

/// Deletes all secrets with that name. Returns `CSECRET_DONE` if there is none.
csecret_outcome csecret_delete(csecret_call *call, csecret_name name);

/// Overwrites and frees a secret; does nothing for NULL.
void csecret_free(char *text);

#endif
