// The gettext functions of the C library, which Swift's Glibc module does not include.
#pragma once

#include <libintl.h>

// Makes gettext read LANGUAGE again, because gettext caches translations only by locale name. Increments
// `_nl_msg_cat_cntr`, which the manual of gettext documents but no header declares.
void cintl_forget_found(void);
