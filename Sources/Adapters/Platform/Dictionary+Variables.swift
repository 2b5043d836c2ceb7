/// Of an environment.
extension [String: String] {
    /// The value of a variable; nil where it is not set or empty.
    public func value(of name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether it names a display, to show a window on.
    public var hasDisplay: Bool { value(of: "DISPLAY") != nil || value(of: "WAYLAND_DISPLAY") != nil }
}
