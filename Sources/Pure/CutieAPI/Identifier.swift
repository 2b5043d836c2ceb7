/// The opaque id of a `Subject` on the wire: compared and repeated, never taken apart.
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decodeID()
    }

    /// As the server compares, by its bytes: text that only looks the same is another id.
    public static func == (left: Self, right: Self) -> Bool {
        let (left, right) = (left.rawValue.utf8, right.rawValue.utf8)
        // Byte by byte would be dear: each row that is read is compared.
        let isSame = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { left.hasSameBytes(as: $0) }
        }
        return (isSame ?? nil) ?? left.elementsEqual(right)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Identifier: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { rawValue = value }
}

extension Identifier: CustomStringConvertible {
    public var description: String { rawValue }
}

/// What `X-Device-ID` names; the device itself has no shape on the wire.
public enum Device {}
public typealias DeviceID = Identifier<Device>

/// A secret word of the wire. Printing one prints no secret, so that none gets into a log by accident;
/// who needs it asks for `rawValue`.
public struct Token<Subject>: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Token: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { rawValue = value }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(token)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What `X-Device-Token` carries.
public typealias DeviceToken = Token<Device>
/// Travels bare in a QR code from one device to another.
public typealias LinkToken = Token<Linking>
/// Travels in `cutie://link?token=...` from a host app to the Feedback App.
public typealias FeedbackToken = Token<FeedbackApp>
