// SwiftPM requires a header: otherwise the flags of a system library do not apply to dependent targets.
#include <yaml.h>
