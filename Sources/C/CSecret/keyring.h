/// The keyring new secrets go to.
#ifndef CSECRET_KEYRING_H
#define CSECRET_KEYRING_H

#include "session.h"

/// Whether the default keyring is there and open; asks the person to open it where the call may.
csecret_outcome csecret_open_keyring(csecret_session *session);

/// Asks the person to unlock `object`, a keyring or an item.
csecret_outcome csecret_unlock(csecret_session *session, GDBusProxy *object);

#endif
