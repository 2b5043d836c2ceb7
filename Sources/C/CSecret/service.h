/// The connection to the Secret Service for one call.
#ifndef CSECRET_SERVICE_H
#define CSECRET_SERVICE_H

#include "CSecret.h"
#include "library.h"


/// Sets `service`, which the caller must release; NULL on failure.
csecret_outcome csecret_connect(csecret_call *call, SecretService **service);

/// Unlocks the default keyring if it is locked and `may_prompt` is set. Returns `CSECRET_DONE` if the keyring
/// is unlocked.
csecret_outcome csecret_open_keyring(csecret_call *call, SecretService *service);

/// Stores the message of `error` in `call`, frees `error`, and returns the outcome.
csecret_outcome csecret_failed(csecret_call *call, GError *error);

#endif
