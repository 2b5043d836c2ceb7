public import Reasons

/// The reason why a response is missing or incomplete. Errors with the same code are equal.
public struct HTTPError: Error, Sendable {
    public enum Code: Hashable, Sendable {
        /// The request is not valid and was not sent.
        case badRequest
        /// The task was cancelled or the body was released.
        case cancelled
        case cannotConnect
        case cannotResolve
        /// The connection failed or was closed before the response was complete.
        case interrupted
        /// A server sent the URL, and the URL's host is this computer or has a link-local address.
        case refusedAddress
        /// The redirect points to another origin, which must not receive the account's headers.
        case refusedRedirect
        case timedOut
        case tls(TLSFailure)
        /// The header or body of the response exceeds a limit.
        case tooLarge
        /// The server does not use the expected protocol.
        case unsupported
    }

    public enum TLSFailure: Hashable, Sendable {
        /// `caFile` cannot be read or contains no certificates.
        case caFileUnreadable
        case certificateExpired
        case certificateNotYetValid
        case handshake
        /// The chain is valid, but none of its keys is pinned.
        case pinMismatch
        case protocolVersion
        case unknownIssuer
        case wrongHost
    }

    public let code: Code
    public let reason: Reason

    public init(_ code: Code, _ reason: Reason) {
        self.code = code
        self.reason = reason
    }
}

extension HTTPError: Equatable {
    public static func == (left: HTTPError, right: HTTPError) -> Bool { left.code == right.code }
}

extension HTTPError: CustomStringConvertible {
    public var description: String { reason.english }
}
