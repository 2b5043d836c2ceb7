/// A long argument of a parameterized test. The test's output shows only the beginning of the argument.
public struct Abridged<Value: RangeReplaceableCollection & Sendable>: Sendable, CustomStringConvertible {
    public let value: Value

    public init(_ value: Value) { self.value = value }

    public var description: String {
        let shown = value.prefix(40)
        let beginning = String(reflecting: Value(shown))
        return shown.count < value.count ? "\(beginning) and so on, \(value.count) in all" : beginning
    }
}
