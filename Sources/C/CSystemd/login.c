#include "login.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-login.h>

int csystemd_find_display(uint32_t user, char *id, size_t size) {
    char *session = NULL;
    int result = sd_uid_get_display(user, &session);
    if (result < 0)
        return result;
    size_t length = session == NULL ? 0 : strlen(session);
    if (length > 0 && length < size)
        memcpy(id, session, length + 1);
    else
        result = -ENODATA;
    free(session);
    return result < 0 ? result : 0;
}
