public import CutieAPI

/// The bytes of a secret. Printing one prints no secret, so that none gets into a log by accident.
public struct Secret: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init<Subject>(_ token: Token<Subject>) { bytes = Array(token.rawValue.utf8) }

    /// The secret as a token; nil where it is no UTF-8 text.
    public func token<Subject>(_ type: Token<Subject>.Type = Token<Subject>.self) -> Token<Subject>? {
        String(validating: bytes, as: UTF8.self).map(Token<Subject>.init(_:))
    }

    /// Bytes. Tokens and keys are far shorter.
    public static let sizeLimit = 16_384
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
