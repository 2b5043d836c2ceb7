// gettext of the C library, which Swift's module of that library leaves out.
#pragma once

#include <libintl.h>

// Has gettext look at LANGUAGE again: what it found before is kept under the name of the locale alone. By its
// manual a program does this by a variable of gettext's own, which no header declares.
void cintl_forget_found(void);
