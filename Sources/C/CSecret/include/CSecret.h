/// Secrets in the Secret Service of the session, through libsecret. Callers need neither GLib nor D-Bus. The
/// functions must be used in a helper process that makes one call and exits: a call may block forever, so the
/// parent must kill the process after a timeout, and GDBus terminates the process with SIGTERM if the session
/// bus closes the connection.
#ifndef CSECRET_H
#define CSECRET_H

#include <stdbool.h>

/// The attributes that identify a secret.
typedef struct {
    const char *account, *origin, *type, *subject;
} csecret_name;

typedef enum {
    CSECRET_DONE,
    /// No unlocked keyring contains the secret, and there is no locked keyring.
    CSECRET_ABSENT,
    /// There is no session bus, or no Secret Service is running.
    CSECRET_NO_SERVICE,
    /// The service has no default keyring, so no secret can be stored.
    CSECRET_NO_KEYRING,
    /// The keyring is locked, and prompting was not allowed or the user did not unlock it.
    CSECRET_LOCKED,
    /// The service did not respond.
    CSECRET_TIMED_OUT,
    CSECRET_REFUSED,
    /// libsecret is not installed.
    CSECRET_NO_LIBRARY,
} csecret_outcome;

/// The options and the error message of a call.
typedef struct {
    bool may_prompt;  // whether a prompt may ask the user to unlock a keyring
    char text[256];   // the error message of GLib, in UTF-8
} csecret_call;

/// Checks whether a new secret can be stored at present.
csecret_outcome csecret_probe(csecret_call *call);

/// Looks up a secret and stores it in `text`. The caller must free `text` with `csecret_free`.
csecret_outcome csecret_lookup(csecret_call *call, csecret_name name, char **text);

/// Stores `text` in the default keyring. Replaces any secret with the same name. Keyring applications show
/// `label`.
csecret_outcome csecret_store(csecret_call *call, csecret_name name, const char *label, const char *text);

/// Deletes all secrets with this name. Also returns `CSECRET_DONE` if there is no such secret.
csecret_outcome csecret_delete(csecret_call *call, csecret_name name);

/// Overwrites and frees a secret. Does nothing if `text` is NULL.
void csecret_free(char *text);

#endif
