/// A text that is no interface definition.
public struct InterfaceSyntaxError: Error, Hashable, CustomStringConvertible {
    /// Counted from 1; nil where the fault has no one place.
    public let line: Int?
    public let reason: String

    public var description: String {
        line.map { "line \($0): \(reason)" } ?? reason
    }
}
