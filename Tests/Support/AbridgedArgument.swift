/// A long argument of a parameterized test. Its description is only the beginning, so that the test output is
/// short.
public struct AbridgedArgument<Value: RangeReplaceableCollection & Sendable>: Sendable,
    CustomStringConvertible
{
    public let value: Value

    public init(_ value: Value) { self.value = value }

    public var description: String {
        let shown = value.prefix(40)
        let beginning = String(reflecting: Value(shown))
        return shown.count < value.count ? "\(beginning) and so on, \(value.count) in all" : beginning
    }
}
