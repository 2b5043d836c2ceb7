package import Config
package import CutieAPI
import Domain
package import EventLog
import FoundationEssentials
package import HTTP
import Reasons
import Store

/// Transfers an account between a host app and the Feedback App, in either direction.
package final class HandOver {
    private let accounts: AccountRegistry
    private let added: AddedAccounts
    private let apply: ([AccountConfiguration]) throws -> Void
    private let httpClient: HTTPClient
    private let runtime: RuntimeEnvironment
    /// The tokens that this computer created. If this computer redeemed such a token, the inbox would appear
    /// twice.
    private var issuedTokens: [FeedbackToken] = []
    /// The requests to APIs that no account uses. These requests must not be cancelled, because a token can
    /// be used only once.
    private let linking = UninterruptedWork(isExclusive: false)

    /// A token that allows the Feedback App to take over an account.
    package struct Offer {
        package let account: String
        package let token: FeedbackToken
        let address: APIAddress
        /// The link that opens the Feedback App. Contains the API address unless the account is at the hosted
        /// service, which is the default.
        package var link: DeepLink { .app(token, api: address == .production ? nil : address) }
    }

    package init(
        accounts: AccountRegistry, added: AddedAccounts, httpClient: HTTPClient,
        runtime: RuntimeEnvironment,
        apply: @escaping ([AccountConfiguration]) throws -> Void
    ) {
        (self.accounts, self.added, self.apply) = (accounts, added, apply)
        (self.httpClient, self.runtime) = (httpClient, runtime)
    }

    /// Runs until cancelled, and then waits for requests in flight to APIs that no account uses, at most for
    /// `endLimit`.
    package func run() async throws {
        do { try await ChangeSignal().wait(past: 0) } catch {
            await linking.waitForCompletion(within: Self.endLimit, runtime: runtime)
            throw error
        }
    }

    /// The time limit for requests in flight when the daemon ends.
    private static let endLimit: Duration = .seconds(5)

    /// Requests a token for the account from the API, in the role of the host app.
    package func createOffer(account name: String?) async throws -> Offer {
        let unit = try accounts.findSingleAccount(named: name)
        let account = unit.account
        let device = try account.requireDevice()
        let client = AnonymousClient(account, device: device.id, httpClient: httpClient)
        let host = FeedbackApp.Host(deviceID: device.id, appID: device.appID)
        return try await runWithTimeout(in: unit.linking) { [self] in
            let pass = try await fetchDecodedResponse(
                from: .generateFeedbackToken(for: host), of: account, using: client)
            let offer = Offer(account: account.name, token: pass.token, address: account.address)
            guard offer.link == (try? DeepLink(offer.link.text)) else {
                throw ServiceError.invalidResponse(reason: Reason(.tokenNotForLinks))
            }
            issuedTokens = issuedTokens.suffix(63) + [offer.token]
            return offer
        }
    }

    /// Invalidates a token from `createOffer`, for example if the program that should receive the token did
    /// not start. The API cannot revoke a token, but accepts each token only once. So the account's own
    /// device, which already belongs to the group, redeems the token. Throws if the redemption fails; the
    /// token then stays usable until it expires.
    package func revoke(_ token: FeedbackToken, forAccount name: String?) async throws {
        let unit = try accounts.findSingleAccount(named: name)
        // Accept only tokens that this computer created: with the token of another device, this device would
        // join the group of that device.
        guard issuedTokens.contains(token) else {
            throw ServiceError.invalidArgument(
                parameter: "token", reason: Reason(.tokenOfAnotherComputer))
        }
        do {
            _ = try await runWithTimeout(in: unit.linking) { [client = unit.feed.client] in
                try await client.send(.redeemFeedbackToken(token))
            }
        } catch let failure as APIFailure {
            throw ServiceError.failed(reason: Reason(.tokenNotRevoked, because: failure.reason))
        }
    }

    /// Rejects an invalid token, or a token that this computer created, before the user is asked for
    /// confirmation. Returns the address at which the token would be redeemed.
    package func checkedRedemptionAddress(
        of token: FeedbackToken, account name: String?, api: APIAddress? = nil
    ) throws -> APIAddress {
        guard case .app(token, nil)? = try? DeepLink(DeepLink.app(token).text) else {
            throw ServiceError.invalidArgument(parameter: "token", reason: Reason(.notAToken))
        }
        if issuedTokens.contains(token) {
            throw ServiceError.invalidArgument(
                parameter: "token", reason: Reason(.tokenOfThisComputer))
        }
        return try findTokenSource(accountName: name, api: api).address
    }

    /// Returns the name of the app that `token` belongs to, for the question to the user; `nil` if the API
    /// does not report an app, for example because the API has no previews or is offline.
    package func fetchAppName(for token: FeedbackToken, account name: String?, api: APIAddress? = nil) async
        -> String?
    {
        guard let issuer = try? findTokenSource(accountName: name, api: api) else { return nil }
        let client = makeClient(for: issuer, device: DeviceID("device_" + UUID().uuidString))
        let endpoint = Endpoint.previewFeedbackToken(token)
        let response = try? await runtime.withTimeout(Self.previewLimit) {
            try await client.send(endpoint.request)
        }
        guard let response, response.status == 200,
            let app = try? endpoint.decodeResponse(from: response.body)
        else {
            return nil
        }
        return [app.appName, app.appID].lazy.compactMap { $0 }.first(where: Self.isUsableName)
    }

    private static func isUsableName(_ name: String) -> Bool {
        name.utf8.count <= 256 && DisplayName.isReadable(name)
    }

    /// The time limit for a preview, during which the user waits for the question.
    private static let previewLimit: Duration = .seconds(3)

    /// Redeems `token` and adds the account that the API hands over, in the role of the Feedback App. Returns
    /// the name of the account.
    package func redeem(
        _ token: FeedbackToken, account name: String?, api: APIAddress? = nil, appName: String? = nil
    ) async throws -> String {
        let issuer = try findTokenSource(accountName: name, api: api)
        // The API adds this new device ID to the account's group, or returns the device ID of the account
        // instead.
        let device = DeviceID("device_" + UUID().uuidString)
        let client = makeClient(for: issuer, device: device)
        return try await runWithTimeout(in: issuer.unit?.linking ?? linking) { [self] in
            do {
                return try add(
                    await fetchDecodedResponse(
                        from: .redeemFeedbackToken(token), of: issuer.unit?.account, using: client),
                    at: issuer.address, for: issuer.unit?.account, appName: appName)
            } catch ServiceError.serverError(404, _) {
                throw ServiceError.invalidArgument(
                    parameter: "token",
                    reason: Reason(.tokenUsed, ["host": issuer.address.host]))
            }
        }
    }

    private func makeClient(for issuer: TokenSource, device: DeviceID) -> AnonymousClient {
        if let unit = issuer.unit {
            return AnonymousClient(unit.account, device: device, httpClient: httpClient)
        }
        var configuration = AccountConfiguration(appID: "")
        configuration.apiURL = issuer.address
        return AnonymousClient(configuration, device: device, httpClient: httpClient)
    }

    /// Adds and starts an account that the API handed over. Returns the account name. Throws
    /// `invalidResponse` if the App ID or the device ID is invalid.
    private func add(
        _ app: FeedbackApp.Account, at address: APIAddress, for account: Account?, appName: String?
    ) throws -> String {
        guard !app.appID.isEmpty, app.appID.utf8.count <= 256, app.deviceID.rawValue.hasPrefix("device_"),
            app.deviceID.rawValue.utf8.count <= 256
        else {
            throw ServiceError.invalidResponse(
                reason: Reason(.apiNamedNoAccount), peer: Self.peerName(for: account))
        }
        var app = app
        app.appName = app.appName.flatMap { Self.isUsableName($0) ? $0 : nil } ?? appName
        let added = try added.add(app, at: address, now: runtime.now())
        try applyAccounts()
        return added
    }

    /// Runs `body` to completion and returns its result. Throws `offline` after `responseTimeout`, but does
    /// not cancel `body`, because the server may already have processed the request.
    private func runWithTimeout<Value: Sendable>(
        in work: UninterruptedWork, _ body: @escaping () async throws -> Value
    ) async throws -> Value {
        let result = try await runtime.withTimeout(AccountUnit.responseTimeout) {
            try await work.run(body)
        }
        guard let result else { throw ServiceError.offline(reason: Reason(.apiSilent)) }
        return result
    }

    package func removeAccount(named name: String) throws {
        guard try added.removeAccount(named: name) else { throw ServiceError.notFound(what: "app", id: name) }
        try applyAccounts()
    }

    /// Adds and starts an account that a host app owns. Returns the account name.
    package func addAccount(
        forAppID appID: String, at address: APIAddress, ownedBy owner: HostAppOwner
    ) throws -> String {
        let name = try added.addAccount(forAppID: appID, at: address, ownedBy: owner, now: runtime.now())
        try applyAccounts()
        return name
    }

    /// Stores and applies the changed owner of the account `name`.
    package func update(_ owner: HostAppOwner, ofAccount name: String) throws {
        guard try added.fetchOwners()[name] != owner else { return }
        try added.update(owner, ofAccount: name)
        try applyAccounts()
    }

    private func applyAccounts() throws { try apply(added.appendingAddedAccounts(to: added.configured)) }

    /// The API that redeems a token.
    private struct TokenSource {
        let address: APIAddress
        /// The account whose credentials and connection settings are used; `nil` if no account has this
        /// address.
        var unit: AccountUnit?
    }

    /// Returns the API that issued the token: the API of the named account, the API at `api`, the API of the
    /// first account with a feed, or the hosted service, in this order. Throws if `api` differs from the API
    /// of the named account. Tries only one API, because each API that receives the token could misuse it.
    private func findTokenSource(accountName name: String?, api: APIAddress?) throws -> TokenSource {
        if let name {
            let unit = try accounts.findSingleAccount(named: name)
            guard api == nil || api == unit.account.address else {
                throw ServiceError.invalidArgument(
                    parameter: "apiUrl", reason: Reason(.addressOfAnotherAccount))
            }
            return TokenSource(address: unit.account.address, unit: unit)
        }
        // Exclude identity accounts, whose address is the address of an institution.
        let units = accounts.units.filter(\.account.hasFeed)
        guard let api else {
            return units.first.map { TokenSource(address: $0.account.address, unit: $0) }
                ?? TokenSource(address: .production)
        }
        return TokenSource(address: api, unit: units.first { $0.account.address == api })
    }

    /// Returns the decoded response. Throws the error of the link SDK that corresponds to the status.
    private func fetchDecodedResponse<Answer>(
        from endpoint: Endpoint<Answer>, of account: Account?, using client: AnonymousClient
    ) async throws -> Answer {
        let response = try await fetchResponse(to: endpoint.request, of: account, using: client)
        let secrets = client.secrets(of: endpoint.request)
        switch response.status {
        case 200...299: break
        case 401:
            let refusal = account.flatMap { account in
                account.device.map { account.makeRefusalReason(forAppID: $0.appID) }
            }
            throw ServiceError.notAuthorized(reason: refusal ?? Reason(.linksNeedAppID))
        default:
            let error = APIError(status: response.status, body: response.body, hiding: secrets)
            throw ServiceError.serverError(status: response.status, reason: error.reason)
        }
        do { return try endpoint.decodeResponse(from: response.body) } catch {
            throw ServiceError.invalidResponse(
                reason: Reason(describing: error).mapTexts(secrets.redactingSecrets),
                peer: Self.peerName(for: account))
        }
    }

    private func fetchResponse(
        to request: APIRequest, of account: Account?, using client: AnonymousClient
    ) async throws -> HTTPResponse {
        do {
            return try await client.send(request)
        } catch let error {
            let role: ServerRole = account == nil ? .service : .api
            let reason = error.reason(from: role, hiding: client.secrets(of: request))
            // A redirect is permanent, so do not advise the user to try again later.
            guard error.code != .refusedRedirect else {
                throw ServiceError.invalidResponse(reason: reason, peer: Self.peerName(for: account))
            }
            throw ServiceError.offline(reason: reason, peer: Self.peerName(for: account))
        }
    }

    /// Returns the peer for an error message; `nil` for the API of a configured account. Without an account,
    /// the address is from a link, so the message must not advise the user to change the configuration.
    private static func peerName(for account: Account?) -> String? {
        account == nil ? ServerRole.service.rawValue : nil
    }
}
