#include "catalogues.h"

extern int _nl_msg_cat_cntr;

void cintl_clear_cache(void) { ++_nl_msg_cat_cntr; }
