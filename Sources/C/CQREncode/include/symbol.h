/// libqrencode's side of a QR code. Its header would be found only where pkg-config knows the library.
#ifndef CQRENCODE_SYMBOL_H
#define CQRENCODE_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

/// Modules on a side of the largest symbol.
#define CQRENCODE_LARGEST 177

/// Encodes `count` bytes as they are, in the smallest symbol that corrects 15 % of damage. Sets `modules`,
/// row by row, to 1 where it is dark and 0 where it is light. Returns how many modules a side has, or a
/// negative errno: -ERANGE where the bytes fit into no symbol.
int cqrencode_encode(
    const uint8_t *bytes, size_t count, uint8_t modules[CQRENCODE_LARGEST * CQRENCODE_LARGEST]);

#endif
