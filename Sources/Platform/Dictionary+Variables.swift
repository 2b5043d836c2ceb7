/// Of an environment.
extension [String: String] {
    /// The value of a variable; nil where it is not set or empty.
    public func value(of name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
