/// QR codes, encoded by libqrencode. The function is written in C, so that Swift code need not include the
/// header of libqrencode, which the compiler finds only with pkg-config flags.
#ifndef CQRENCODE_SYMBOL_H
#define CQRENCODE_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

/// The maximum width of a symbol, in modules.
#define CQRENCODE_LARGEST 177

/// Encodes `count` bytes in the smallest symbol that tolerates 15 % damage. Sets `modules`, row by row, to 1
/// (dark) or 0 (light). Returns the width of the symbol in modules. On failure, returns a negative errno
/// (-ERANGE if the bytes do not fit).
int cqrencode_encode(
    const uint8_t *bytes, size_t count, uint8_t modules[CQRENCODE_LARGEST * CQRENCODE_LARGEST]);

#endif
