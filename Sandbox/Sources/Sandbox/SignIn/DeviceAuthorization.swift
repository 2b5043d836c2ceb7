import CutieAPI
import GRDB
import Hummingbird

/// The timing of the device flow.
struct DeviceFlowTiming: Sendable {
    /// The lifetime of a device code, in seconds.
    var lifetime = 600
    /// The minimum polling interval, in seconds. Each `slow_down` error increases the interval for the
    /// device code.
    var interval = 5
}

/// The device authorization endpoint `POST /v1/auth/oauth/device` (RFC 8628), which returns a user code. The
/// user enters the code on another device.
struct DeviceAuthorizationRoutes: Sendable {
    let archive: Archive
    let rules: DeviceFlowTiming
    let isSecure: Bool

    private struct AuthorizationBody: Encodable {
        let deviceCode: String
        let userCode: String
        let page: String
        let pageWithCode: String
        let expiresIn: Int
        let interval: Int

        enum CodingKeys: String, CodingKey {
            case interval
            case deviceCode = "device_code"
            case userCode = "user_code"
            case page = "verification_uri"
            case pageWithCode = "verification_uri_complete"
            case expiresIn = "expires_in"
        }
    }

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: Issuer.Path.deviceAuthorization.route, [.post: beginAuthorization])
    }

    @Sendable private func beginAuthorization(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        let claim = try ClientCredentials(call, form)
        let page = try Issuer(call, isSecure: isSecure).endpoint(.device)
        let answer = try await archive.change { [rules] change in
            let client = try claim.authenticateClient(in: change.database)
            guard client.isPublic else {
                throw Refusal.oauthError(
                    "unauthorized_client",
                    "\(client.id) has a secret and cannot be used for the sign-in of people")
            }
            let scopes = try client.scopes.narrowed(to: form["scope"])
            let (device, user) = try change.beginDeviceAuthorization(
                for: client, scopes: scopes, timing: rules)
            return AuthorizationBody(
                deviceCode: device, userCode: user.text, page: page,
                pageWithCode: "\(page)?user_code=\(user.text)", expiresIn: rules.lifetime,
                interval: rules.interval)
        }
        return try .json(answer).uncacheableResponse
    }
}

/// A code that a device shows and that the user enters on the page `/device`. The code contains no letters
/// that look alike, and no vowels, so that no code is a word.
struct UserCode: Hashable, Sendable {
    /// Eight letters with a hyphen, for example `BCDF-GHJK`.
    let text: String

    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

    static func makeRandom() -> UserCode {
        let letters = (0..<8).compactMap { _ in Self.letters.randomElement() }
        return UserCode(text: String(letters.prefix(4)) + "-" + String(letters.suffix(4)))
    }

    /// Parses a code as entered by a user. Returns `nil` if the text does not have the format of a code.
    init?(typed: String) {
        let letters = typed.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        guard letters.count == 8, letters.allSatisfy({ Self.letters.contains($0) }) else { return nil }
        text = String(letters.prefix(4)) + "-" + String(letters.suffix(4))
    }

    private init(text: String) { self.text = text }
}

/// A device that waits for the user's decision.
struct WaitingDevice: Sendable {
    let userCode: UserCode
    let client: String
    let scopes: Set<Scope>
}

extension Database {
    /// Returns the device with this code; `nil` if the code is unknown or expired, or the user has already
    /// decided.
    func findWaitingDevice(forUserCode code: UserCode) throws -> WaitingDevice? {
        let row = try fetchRow(
            sql: """
                SELECT clientID, scopes FROM deviceAuthorization
                WHERE userCode = ? AND state = 'waiting' AND expiresAt > ?
                """,
            arguments: [code.text, Timestamp.now.milliseconds])
        return row.map {
            WaitingDevice(userCode: code, client: $0["clientID"], scopes: Set(scopeList: $0["scopes"]) ?? [])
        }
    }
}

extension SandboxTransaction {
    fileprivate func beginDeviceAuthorization(
        for client: TokenClient, scopes: Set<Scope>, timing rules: DeviceFlowTiming
    ) throws -> (device: String, user: UserCode) {
        // Keep expired codes for a day, so that a poll returns `expired_token` instead of `invalid_grant`.
        let longAgo = now.advanced(bySeconds: -86_400).milliseconds
        try database.run(sql: "DELETE FROM deviceAuthorization WHERE expiresAt <= ?", arguments: [longAgo])
        let (device, user) = (RandomText.makeID(prefix: "cutie_dc_"), UserCode.makeRandom())
        try database.run(
            sql: """
                INSERT INTO deviceAuthorization (deviceCode, userCode, clientID, scopes, interval, expiresAt)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                device, user.text, client.id, scopes.scopeList, rules.interval,
                now.advanced(bySeconds: rules.lifetime).milliseconds,
            ])
        return (device, user)
    }

    /// Stores the user's decision: allowed by `session`, or refused if `session` is `nil`.
    func setDecision(for code: UserCode, allowedBy session: SignedInSession?) throws {
        try database.run(
            sql: """
                UPDATE deviceAuthorization SET state = ?, adminID = ?, authenticatedAt = ?
                WHERE userCode = ? AND state = 'waiting'
                """,
            arguments: [
                session == nil ? "refused" : "allowed", session?.admin.id,
                session?.authenticatedAt.milliseconds, code.text,
            ])
    }

    /// Returns the tokens for a device code, or an error that describes the state of the request. If the
    /// decision is pending, the error is returned in a `Result`, because a thrown error would roll back the
    /// stored poll time.
    func redeemDeviceCode(
        by credentials: ClientCredentials, form: FormParameters, rules: TokenRules
    ) throws -> Result<IssuedTokens, Refusal> {
        let client = try credentials.authenticateClient(in: database)
        let code = try form.requireParameter("device_code")
        let row = try database.fetchRow(
            sql: "SELECT * FROM deviceAuthorization WHERE deviceCode = ?", arguments: [code])
        guard let row, row["clientID"] == client.id else {
            throw Refusal.oauthError(
                "invalid_grant", "the device_code is unknown, used or belongs to another client")
        }
        guard row["expiresAt"] > now.milliseconds else {
            throw Refusal.oauthError("expired_token", "the code has expired; request a new one")
        }
        switch row["state"] as String {
        case "refused": throw Refusal.oauthError("access_denied", "the user denied the request")
        case "allowed": return .success(try issueTokens(forDeviceCodeIn: row, rules: rules))
        default: return .failure(try recordPollAndMakeError(forDeviceCodeIn: row))
        }
    }

    private func issueTokens(forDeviceCodeIn row: Row, rules: TokenRules) throws -> IssuedTokens {
        guard let admin = try database.findAdmin(id: row["adminID"]) else {
            throw Refusal.oauthError("invalid_grant", "the user's account no longer exists")
        }
        try database.run(
            sql: "DELETE FROM deviceAuthorization WHERE deviceCode = ?",
            arguments: [row["deviceCode"] as String])
        let signIn = TokenGrant(
            admin: admin, client: row["clientID"], scopes: Set(scopeList: row["scopes"]) ?? [],
            authenticatedAt: Timestamp(milliseconds: row["authenticatedAt"]))
        return try createTokenFamily(for: signIn, rules: rules).0
    }

    private func recordPollAndMakeError(forDeviceCodeIn row: Row) throws -> Refusal {
        let (interval, last): (Int, Int64?) = (row["interval"], row["polledAt"])
        let isEarly = last.map { now.milliseconds < $0 + Int64(interval) * 1000 } ?? false
        try database.run(
            sql: "UPDATE deviceAuthorization SET polledAt = ?, interval = ? WHERE deviceCode = ?",
            arguments: [now.milliseconds, isEarly ? interval + 5 : interval, row["deviceCode"] as String])
        return isEarly
            ? .oauthError("slow_down", "wait \(interval + 5) seconds before the next request")
            : .oauthError("authorization_pending", "the user has not decided yet")
    }
}
