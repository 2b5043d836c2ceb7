// Functions of gettext that are missing from Swift's Glibc module.
#pragma once

#include <libintl.h>

// Clears the translation cache of gettext, so that a changed LANGUAGE takes effect: gettext caches
// translations only by locale name. Increments `_nl_msg_cat_cntr`, which the gettext manual documents but no
// header declares.
void cintl_clear_cache(void);
