#include "tpm2.h"
