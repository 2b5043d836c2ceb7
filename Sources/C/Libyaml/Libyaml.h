// SwiftPM wants a header to make a system library's flags known to the targets that depend on it.
#include <yaml.h>
