import Config
import ControlAPI
import ControlClient
import CutieAPI
import HTTP
import OAuth
import Platform

/// The facts about an account with a sign-in: the metadata of its issuer, and the signed-in user.
struct SignInFacts: Sendable {
    enum Metadata: Sendable {
        case found
        /// All metadata URLs returned 404.
        case absent
        case failed(String)
    }

    var account: String
    var issuer: String
    /// Whether the configuration names the issuer.
    var isNamed = false
    var metadata: Metadata
    /// The session; `nil` if the daemon did not report it.
    var session: SessionView?
}

extension SignInFacts {
    /// Queries the daemon and the issuers of all accounts concurrently.
    static func probe(
        _ accounts: [AccountConfiguration], environment: [String: String]
    ) async -> [SignInFacts] {
        let httpClient = HTTPClient(userAgent: "\(Product.name)/\(Product.version)")
        let signingIn = accounts.filter { $0.kind != .device }
        return await withTaskGroup(of: (Int, SignInFacts).self) { group in
            for (index, account) in signingIn.enumerated() {
                group.addTask {
                    (
                        index,
                        await SignInFacts(asking: account, httpClient: httpClient, environment: environment)
                    )
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static let timeout = Duration.milliseconds(4500)

    private init(
        asking account: AccountConfiguration, httpClient: HTTPClient, environment: [String: String]
    ) async {
        let named = account.signIn.issuer.flatMap { try? Issuer($0) }
        let issuer = named ?? Issuer(ofAPIAt: account.apiURL)
        async let metadata = Self.fetchMetadata(of: issuer, account: account, httpClient: httpClient)
        async let session = Self.fetchSession(of: account.name, environment: environment)
        self.init(
            account: account.name, issuer: issuer.description, isNamed: named != nil,
            metadata: await metadata, session: await session)
    }

    private static func fetchMetadata(
        of issuer: Issuer, account: AccountConfiguration, httpClient: HTTPClient
    ) async -> Metadata {
        var policy = TLSPolicy(of: account)
        // If the issuer has another origin than the API, remove the pins, because the pins apply only to the
        // API.
        if (try? APIAddress(issuer.description))?.origin != account.apiURL.origin { policy.pins = [] }
        for address in issuer.metadataAddresses {
            var request = HTTPRequest(
                address, headers: HTTPHeaders([(HeaderName.accept, "application/json")]))
            request.responseLimit = IssuerMetadata.sizeLimit
            (request.timeout, request.transferTimeout) = (timeout, timeout)
            do {
                let answer = try await httpClient.send(request, policy: policy)
                if answer.status == 404 { continue }
                guard answer.status == 200 else { return .failed("status \(answer.status)") }
                _ = try IssuerMetadata(json: answer.body, of: issuer)
                return .found
            } catch let error as HTTPError {
                return .failed("\(error)")
            } catch { return .failed("\(error)") }
        }
        return .absent
    }

    private static func fetchSession(of account: String, environment: [String: String]) async
        -> SessionView?
    {
        guard let path = try? Paths(environment: environment).controlSocketPath() else { return nil }
        let client = DaemonClient(path: path, timeout: .zero, connectTimeout: .seconds(2))
        return try? await client.call(GetSession(account: account), timeout: .seconds(4)).reply.session
    }
}

extension SignInFacts {
    var check: Check {
        let name = "sign-in \(account)"
        switch metadata {
        case .failed(let reason):
            return Check(
                name, .failure, "the issuer \(issuer) does not work: \(reason)",
                advice: "check that the server is running and that `issuer` in the config is correct")
        case .absent where isNamed:
            return Check(
                name, .failure, "\(issuer) has no issuer metadata",
                advice: "correct `issuer` of \(account)")
        case .absent, .found: break
        }
        guard let session else { return Check(name, .skipped, "unknown (the daemon did not answer)") }
        guard session.auth == .unauthenticated else {
            let who = session.name ?? session.email ?? session.subject ?? "a user"
            return Check(name, .ok, "\(who) is signed in at \(issuer)")
        }
        return Check(
            name, .warning, session.reason ?? "you are not signed in",
            advice: "run: cutied ctl signin --account \(account)")
    }
}
