/// The login API of libsystemd, except the calls that need D-Bus.
#ifndef CSYSTEMD_LOGIN_H
#define CSYSTEMD_LOGIN_H

#include <stddef.h>
#include <stdint.h>

/// Copies the ID of the user's graphical session to `id`, which has `size` bytes. Returns 0; -ENODATA if
/// there is no graphical session; another negative errno on failure.
int csystemd_find_display(uint32_t user, char *id, size_t size);

#endif
