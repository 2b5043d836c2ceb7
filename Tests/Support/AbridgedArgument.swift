/// A long argument of a parameterized test. To keep the test output short, the description contains
/// only the beginning and the length of the value.
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
