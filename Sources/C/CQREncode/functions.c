// The functions of libqrencode that are loaded lazily.
#include <lazy_load.h>

LAZY_LOAD_NOTE("libqrencode.so.4");
#define QRENCODE(name) LAZY_LOAD("libqrencode.so.4", name)
QRENCODE(QRcode_encodeData);
QRENCODE(QRcode_free);
