import Synchronization

/// A value that the tasks of a test share.
public final class Shared<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    public init(_ value: Value) { content = Mutex(value) }

    public var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
