/// The address of a device at a push service: 32 to 200 hexadecimal characters.
public struct PushToken: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    /// Nil where `rawValue` breaks the rule: such a token is refused before it is sent.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard (32...200).contains(bytes.count) else { return nil }
        guard bytes.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else { return nil }
        self.rawValue = rawValue
    }
}

extension PushToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(push token)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
