/// QR codes through libqrencode. Swift does not include the header of libqrencode, which the compiler finds
/// only with flags from pkg-config.
#ifndef CQRENCODE_SYMBOL_H
#define CQRENCODE_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

/// The maximum number of modules per side.
#define CQRENCODE_LARGEST 177

/// Encodes `count` bytes in the smallest symbol that can correct 15 % of damage. Sets `modules`, row by row,
/// to 1 for dark and 0 for light. Returns the number of modules per side; a negative errno on failure,
/// -ERANGE if the bytes do not fit.
int cqrencode_encode(
    const uint8_t *bytes, size_t count, uint8_t modules[CQRENCODE_LARGEST * CQRENCODE_LARGEST]);

#endif
