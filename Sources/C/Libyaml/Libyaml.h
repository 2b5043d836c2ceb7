// SwiftPM requires a header; without one, the flags of a system library do not apply to dependent targets.
#include <yaml.h>
