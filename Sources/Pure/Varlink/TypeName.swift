/// A type's own name, as the wire has it. `String(describing:)` first looks through every conformance of the
/// program for a better one, for each type: that was a quarter of `ctl status`.
public func typeName(_ type: Any.Type) -> String { _typeName(type, qualified: false) }
