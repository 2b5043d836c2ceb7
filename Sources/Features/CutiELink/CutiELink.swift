// The SDK has a module of this name. The module's types are in the library `CutiE`, which this module
// re-exports.
@_exported public import CutiE
