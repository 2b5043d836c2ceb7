/// The connection to the Secret Service for one call.
#ifndef CSECRET_SERVICE_H
#define CSECRET_SERVICE_H

#include "CSecret.h"
#include "library.h"


/// Connects to the service. Sets `service`, which the caller must release, or NULL on failure.
csecret_outcome csecret_connect(csecret_call *call, SecretService **service);

/// Opens the default keyring. If the keyring is locked and `may_prompt` is set, prompts the user to unlock
/// the keyring. Returns `CSECRET_DONE` if the keyring is unlocked.
csecret_outcome csecret_open_keyring(csecret_call *call, SecretService *service);

/// Converts `error` to an outcome, stores the message of `error` in `call`, and frees `error`.
csecret_outcome csecret_failed(csecret_call *call, GError *error);

#endif
