// gettext of the C library, which Swift's module for it omits.
#pragma once

#include <libintl.h>

// Makes gettext read LANGUAGE again: it caches results by the name of the locale only. The manual documents a
// variable of gettext for this, which no header declares.
void cintl_forget_found(void);
