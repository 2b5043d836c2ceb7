/// What a server says about a refusal.
public struct ErrorBody: Hashable, Sendable, Codable {
    public var error: String
    /// For programs (extension); most servers and most refusals have none.
    public var code: ErrorCode?

    public init(error: String, code: ErrorCode? = nil) {
        self.error = error
        self.code = code
    }

    enum CodingKeys: String, CodingKey {
        case error, code
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        error = try container.decode(String.self, forKey: .error)
        code = container.lenient(.code)
    }
}

/// Why an attested device was refused, where the server tells. All of them come with 403: a 401 would have
/// the device throw its token away.
public struct ErrorCode: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device is attested, and the request changes something: it needs an `X-App-Assertion`.
    public static let assertionRequired = ErrorCode("assertion_required")
    /// Not the key's signature, or one about something else.
    public static let assertionInvalid = ErrorCode("assertion_invalid")
    /// Its counter was used before, or is too old: sign again with the next one.
    public static let assertionReplayed = ErrorCode("assertion_replayed")
    /// The server does not know the key, or not any more: attest again.
    public static let notAttested = ErrorCode("not_attested")
    /// No challenge is open: it was used, has expired or was replaced. Ask for another.
    public static let challengeUnknown = ErrorCode("challenge_unknown")
    /// The admin's token is good, and lacks a scope.
    public static let insufficientScope = ErrorCode("insufficient_scope")
    /// The attestation does not show what it has to.
    public static let attestationInvalid = ErrorCode("attestation_invalid")
}
