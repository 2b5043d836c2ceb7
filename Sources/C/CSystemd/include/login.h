/// The login API of libsystemd, without the functions that require D-Bus.
#ifndef CSYSTEMD_LOGIN_H
#define CSYSTEMD_LOGIN_H

#include <stddef.h>
#include <stdint.h>

/// Writes the ID of the user's graphical session to `id`, a buffer of `size` bytes. Returns 0, -ENODATA if
/// there is no graphical session, or another negative errno.
int csystemd_find_display(uint32_t user, char *id, size_t size);

#endif
