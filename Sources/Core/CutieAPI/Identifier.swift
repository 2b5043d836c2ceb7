import JSONReading

/// An opaque ID of a `Subject`, as sent by the server. IDs are compared and sent back, never parsed.
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decodeID()
    }

    /// Compares bytes, as the server does. `String` would treat IDs with canonically equivalent characters as
    /// equal.
    public static func == (left: Self, right: Self) -> Bool {
        let (left, right) = (left.rawValue.utf8, right.rawValue.utf8)
        // `elementsEqual` is too slow, because IDs are compared for every database row that is read.
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

/// The phantom type of device IDs and device tokens.
public enum Device {}
public typealias DeviceID = Identifier<Device>

/// A secret from the API. The description is a placeholder, so that the secret is not logged by accident;
/// `rawValue` is the secret.
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

/// The value of `X-Device-Token`.
public typealias DeviceToken = Token<Device>
/// The token of a link offer. One device displays the token as a QR code, which the other device scans.
public typealias LinkToken = Token<Linking>
/// The token that an app passes to the Feedback App in `cutie://link?token=...`.
public typealias FeedbackToken = Token<FeedbackApp>
