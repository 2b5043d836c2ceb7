public import CutieAPI
public import Reasons

/// A pending browser sign-in: the values that the redirect must contain, and the PKCE verifier.
public struct PendingAuthorization: Hashable, Sendable, Codable {
    /// The redirect URI that is registered at all servers except Cuti-E's own.
    public static let defaultRedirect = "io.cutied.cutied:/signin"
    public static let cutiERedirect = "cutie://signin"
    /// The time for which a sign-in is pending. A later redirect is rejected, because another person may have
    /// caused it.
    public static let maxAge: Duration = .seconds(600)

    public let state: String
    public let nonce: String
    public let proof: ProofKey
    public let redirect: String
    public let startedAt: Timestamp

    /// Creates a pending sign-in. `random`: at least three times `ProofKey.randomBytes` bytes from a secure
    /// random source.
    public init(redirect: String, at now: Timestamp, random: [UInt8]) {
        let count = ProofKey.randomBytes
        precondition(random.count >= 3 * count)
        state = Base64URL.encode(Array(random[..<count]))
        nonce = Base64URL.encode(Array(random[count..<2 * count]))
        proof = ProofKey(random: Array(random[(2 * count)...]))
        (self.redirect, startedAt) = (redirect, now)
    }

    /// Returns whether the sign-in has expired; `false` if the clock was set back to a time before the start.
    public func isExpired(at now: Timestamp) -> Bool { now - startedAt >= Self.maxAge }
}

/// The phantom type of authorization codes (`code` in RFC 6749).
public enum AuthorizationCode {}

/// A redirect from the browser, which is an authorization response (RFC 6749 §4.1.2) and may contain the
/// issuer (RFC 9207).
public struct Redirect: Hashable, Sendable {
    /// The maximum length of a redirect in bytes.
    public static let maxLength = 8192

    /// The result of a browser sign-in.
    public enum Outcome: Hashable, Sendable {
        case code(Token<AuthorizationCode>)
        case error(OAuthError)
    }

    /// The redirect URI without the query and the fragment.
    public let address: String
    public let state: String
    public let issuer: String?
    public let outcome: Outcome

    /// Returns whether `link` is a sign-in redirect, as opposed to another link to `cutied`.
    public static func isRedirect(_ link: String) -> Bool { redirectAddress(of: link) != nil }

    /// The error for a malformed redirect. The link itself is not included, because it may contain a code.
    public enum ParseError: ReasonedError, Hashable, Sendable, CaseIterable {
        case unreadable
        case duplicateParameter
        case incomplete

        public var reason: Reason {
            switch self {
            case .unreadable: Reason(.redirectUnreadable)
            case .duplicateParameter: Reason(.redirectDuplicateParameter)
            case .incomplete: Reason(.redirectIncomplete)
            }
        }
    }

    public init(_ link: String) throws(ParseError) {
        guard link.utf8.count <= Self.maxLength, link.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let address = Self.redirectAddress(of: link)
        else { throw .unreadable }
        let found = try Self.parseParameters(of: link)
        guard let state = found["state"], !state.isEmpty else { throw .incomplete }
        if let code = found["error"] {
            guard let error = OAuthError(code: code, message: found["error_description"]) else {
                throw .unreadable
            }
            outcome = .error(error)
        } else if let code = found["code"], !code.isEmpty {
            outcome = .code(Token(code))
        } else {
            throw .incomplete
        }
        (self.address, self.state, issuer) = (address, state, found["iss"])
    }

    /// The reason why a redirect is rejected.
    public enum Refusal: ReasonedError, Hashable, Sendable, CaseIterable {
        /// No sign-in is pending: none was started, or the last sign-in was completed or has expired.
        case expired
        case unknownState
        case otherIssuer

        public var reason: Reason {
            switch self {
            case .expired: Reason(.redirectNotExpected)
            case .unknownState: Reason(.redirectOfAnotherSignIn)
            case .otherIssuer: Reason(.redirectOfAnotherIssuer)
            }
        }
    }

    /// Returns the code or the error in the redirect. If the redirect is rejected with a `Refusal`, the
    /// sign-in remains pending.
    public func validatedOutcome(
        for authorization: PendingAuthorization, issuerMetadata metadata: IssuerMetadata, at now: Timestamp
    ) throws(Refusal) -> Outcome {
        guard !authorization.isExpired(at: now) else { throw .expired }
        guard isEqualInConstantTime(state, authorization.state), address == authorization.redirect else {
            throw .unknownState
        }
        if let issuer {
            guard metadata.matchesIssuer(issuer) else { throw .otherIssuer }
        } else if metadata.includesIssuerInRedirects {
            throw .otherIssuer
        }
        return outcome
    }

    /// Compares in constant time, so that the time does not reveal how many bytes match.
    private func isEqualInConstantTime(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func redirectAddress(of link: String) -> String? {
        let address = link.prefix { $0 != "?" && $0 != "#" }
        let known = [PendingAuthorization.defaultRedirect, PendingAuthorization.cutiERedirect]
        // Compare in lower case, because the scheme and the host are case-insensitive, and browsers may
        // convert them to lower case.
        return known.first { $0 == address.lowercased() }
    }

    /// Returns the parameters of the query. Ignores unknown parameters, as RFC 6749 §4.1.2 requires, and
    /// ignores a fragment, because some servers add one.
    private static func parseParameters(of link: String) throws(ParseError) -> [String: String] {
        let query = link.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        var found: [String: String] = [:]
        for pair in query.split(separator: "&").prefix(64) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Form.decode(parts[0]), let value = Form.decode(parts[1]) else {
                throw .unreadable
            }
            guard ["code", "state", "iss", "error", "error_description"].contains(name) else { continue }
            guard found.updateValue(value, forKey: name) == nil else { throw .duplicateParameter }
        }
        return found
    }
}
