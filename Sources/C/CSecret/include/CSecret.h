/// Secrets in the Secret Service of the session, through libsecret. Callers need neither GLib nor D-Bus. The
/// functions must be used in a process that exits after one call and that its parent kills after a timeout:
/// the calls block without a limit, and GDBus terminates the process with SIGTERM if the session bus closes
/// the connection.
#ifndef CSECRET_H
#define CSECRET_H

#include <stdbool.h>

/// The attributes that identify a secret.
typedef struct {
    const char *account, *origin, *type, *subject;
} csecret_name;

typedef enum {
    CSECRET_DONE,
    /// The secret does not exist, and no locked keyring could contain it.
    CSECRET_ABSENT,
    /// There is no session bus, or no Secret Service on the bus.
    CSECRET_NO_SERVICE,
    /// The service has no default keyring for new secrets.
    CSECRET_NO_KEYRING,
    /// The keyring is locked, and the user was not asked or did not unlock it.
    CSECRET_LOCKED,
    /// The service did not respond.
    CSECRET_TIMED_OUT,
    CSECRET_REFUSED,
    /// libsecret is not installed.
    CSECRET_NO_LIBRARY,
} csecret_outcome;

/// The options of a call, and its error message.
typedef struct {
    bool may_prompt;  // whether the user may be asked to unlock a keyring
    char text[256];   // GLib's error message in UTF-8
} csecret_call;

/// Checks whether a new secret could be stored now.
csecret_outcome csecret_probe(csecret_call *call);

/// Sets `text` to the secret, which the caller must free with `csecret_free`.
csecret_outcome csecret_lookup(csecret_call *call, csecret_name name, char **text);

/// Stores `text` in the default keyring, replacing a secret with the same name. Keyring programs show
/// `label`.
csecret_outcome csecret_store(csecret_call *call, csecret_name name, const char *label, const char *text);

/// Deletes all secrets with this name. Returns `CSECRET_DONE` even if there is none.
csecret_outcome csecret_delete(csecret_call *call, csecret_name name);

/// Overwrites and frees a secret; has no effect for NULL.
void csecret_free(char *text);

#endif
