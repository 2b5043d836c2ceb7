// This header exists because SwiftPM ignores the flags of a system library that has no header.
#include <yaml.h>
