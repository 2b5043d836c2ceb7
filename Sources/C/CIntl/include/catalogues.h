// The gettext functions of the C library, which Swift's Glibc module does not include.
#pragma once

#include <libintl.h>

// Makes gettext read LANGUAGE again. gettext caches results by the name of the locale only. The manual of
// gettext documents the variable for this, but no header declares it.
void cintl_forget_found(void);
