#include "systemd.h"
