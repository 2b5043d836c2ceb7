#include "catalogues.h"

extern int _nl_msg_cat_cntr;

void cintl_forget_found(void) { ++_nl_msg_cat_cntr; }
