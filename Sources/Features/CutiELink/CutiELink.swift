// The SDK has a module of this name. Its types are in the library `CutiE`, which this module re-exports.
@_exported public import CutiE
