/// Why there is no answer, or not all of it. Two errors are equal when their codes are.
public struct HTTPError: Error, Sendable {
    public enum Code: Hashable, Sendable {
        /// The request is not one that may be sent.
        case badRequest
        /// The task was cancelled or the body dropped.
        case cancelled
        case cannotConnect
        case cannotResolve
        /// The connection broke, or the server closed it, before the answer was complete.
        case interrupted
        /// A server gave the URL, and its address is of this machine or its link.
        case refusedAddress
        /// The answer points somewhere else, where the account's headers must not go.
        case refusedRedirect
        case timedOut
        case tls(TLSFailure)
        /// The answer's header or body is over the limit.
        case tooLarge
        /// The server speaks something else.
        case unsupported
    }

    public enum TLSFailure: Hashable, Sendable {
        /// `caFile` cannot be read or holds no certificate.
        case caFileUnreadable
        case certificateExpired
        case certificateNotYetValid
        case handshake
        /// The chain is valid, but no key in it is pinned.
        case pinMismatch
        case protocolVersion
        case unknownIssuer
        case wrongHost
    }

    public let code: Code
    /// What is wrong and what to do, for a person; no full stop.
    public let sentence: String

    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

extension HTTPError: Equatable {
    public static func == (left: HTTPError, right: HTTPError) -> Bool { left.code == right.code }
}

extension HTTPError: CustomStringConvertible {
    public var description: String { sentence }
}
