/// A connection to the Secret Service, for one call.
#ifndef CSECRET_SERVICE_H
#define CSECRET_SERVICE_H

#include "CSecret.h"
#include "library.h"


/// Sets `service`, to be released by the caller. On failure it is NULL.
csecret_outcome csecret_connect(csecret_call *call, SecretService **service);

/// Returns whether the default keyring is there and open; asks the person to open it if the call may.
csecret_outcome csecret_open_keyring(csecret_call *call, SecretService *service);

/// Stores the message of `error`, frees it and returns its outcome.
csecret_outcome csecret_failed(csecret_call *call, GError *error);

#endif
