#include "symbol.h"

#include <errno.h>
#include <limits.h>
#include <qrencode.h>

int cqrencode_encode(
    const uint8_t *bytes, size_t count, uint8_t modules[CQRENCODE_LARGEST * CQRENCODE_LARGEST]) {
    if (count > INT_MAX) return -ERANGE;
    QRcode *code = QRcode_encodeData((int)count, bytes, 0, QR_ECLEVEL_M);
    if (code == NULL) return errno == 0 ? -EINVAL : -errno;
    int width = code->width;
    for (int index = 0; index < width * width; index++)
        modules[index] = code->data[index] & 1;
    QRcode_free(code);
    return width;
}
