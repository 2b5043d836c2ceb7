public import Reasons

/// The reason why a request has no complete response. Two errors are equal if they have the same code.
public struct HTTPError: Error, Sendable {
    public enum Code: Hashable, Sendable {
        /// The request is not valid and was not sent.
        case badRequest
        /// The task was cancelled, or the reader released the body.
        case cancelled
        case cannotConnect
        case cannotResolve
        /// The connection failed or was closed before the response was complete.
        case interrupted
        /// The policy forbids the host of the URL: a server sent the URL, and the host is this computer or a
        /// link-local address.
        case refusedAddress
        /// The redirect leads to another origin, which must not receive the account's credentials.
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
        /// The certificate chain is valid but contains no pinned key.
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
