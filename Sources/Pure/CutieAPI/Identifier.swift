/// The opaque id of a `Subject` on the wire: compared and repeated, never taken apart.
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    /// As the server compares, by its bytes: text that only looks the same is another id.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
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
