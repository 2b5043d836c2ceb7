package import Config
import ControlAPI
package import CutieAPI
import FoundationEssentials
package import HTTP
package import Log
import Store

/// The Feedback App's way into an account, from both sides.
package final class HandOver {
    private let accounts: Accounts
    private let added: AddedAccounts
    /// Makes the accounts what they are to be.
    private let apply: ([AccountConfiguration]) throws -> Void
    private let transport: Transport
    private let surroundings: Surroundings
    /// Made here: to redeem one would double the inbox it came from.
    private var own: [FeedbackToken] = []

    /// What the Feedback App takes an account over with.
    package struct Offer {
        package let account: String
        package let token: FeedbackToken
        package var link: DeepLink { .app(token) }
    }

    package init(
        accounts: Accounts, added: AddedAccounts, transport: Transport, surroundings: Surroundings,
        apply: @escaping ([AccountConfiguration]) throws -> Void
    ) {
        (self.accounts, self.added, self.apply) = (accounts, added, apply)
        (self.transport, self.surroundings) = (transport, surroundings)
    }

    /// As the host app: a token for the account.
    package func give(_ name: String?) async throws -> Offer {
        let unit = try accounts.only(name)
        let account = unit.account
        let device = try account.requireDevice()
        let client = AnonymousClient(account, device: device.id, transport: transport)
        let host = FeedbackApp.Host(deviceID: device.id, appID: device.appID)
        let pass = try await answer(.generateFeedbackToken(host), of: account, by: client)
        let offer = Offer(account: account.name, token: pass.token)
        guard case .app(offer.token)? = try? DeepLink(offer.link.text) else {
            throw InvalidResponse(reason: "the API's token cannot stand in a link")
        }
        own = own.suffix(63) + [offer.token]
        return offer
    }

    /// Makes a token of `give` unusable, for example because the program that it was for did not start. The API has
    /// no revocation, but a token can be redeemed once: the account's own device redeems it, which is in the
    /// account's group already. Throws if that fails; the token then expires by itself.
    package func revoke(_ token: FeedbackToken, of name: String?) async throws {
        let unit = try accounts.only(name)
        // Redeeming the token of another device would join that device's group.
        guard own.contains(token) else {
            throw InvalidArgument(parameter: "token", reason: "it was not made here")
        }
        do {
            let account = try await surroundings.within(AccountUnit.answerLimit) {
                [client = unit.feed.client] in
                try await client.send(.redeemFeedbackToken(token))
            }
            guard account != nil else { throw Offline(reason: "it does not answer") }
        } catch let failure as APIFailure {
            throw Failed(reason: "the token could not be revoked: \(failure.sentence)")
        }
    }

    /// Refuses what cannot be redeemed before anybody is asked.
    package func check(_ token: FeedbackToken, at name: String?) throws {
        guard case .app(token)? = try? DeepLink(DeepLink.app(token).text) else {
            throw InvalidArgument(parameter: "token", reason: "it is none")
        }
        if own.contains(token) {
            throw InvalidArgument(parameter: "token", reason: "it was made here; use it on another computer")
        }
        _ = try issuer(name)
    }

    /// As the Feedback App: redeems `token` and adds its account, under the name that is returned.
    package func redeem(_ token: FeedbackToken, at name: String?) async throws -> String {
        let issuer = try issuer(name)
        // The API makes this device a member of the account's group, or gives the account's own device.
        let device = DeviceID("device_" + UUID().uuidString)
        let client = AnonymousClient(issuer.account, device: device, transport: transport)
        let app: FeedbackApp.Account
        do {
            app = try await answer(.redeemFeedbackToken(token), of: issuer.account, by: client)
        } catch let error as ServerError where error.status == 404 {
            throw InvalidArgument(
                parameter: "token",
                reason: "it was used, has expired, or is not of \(issuer.account.address); ask for a new one")
        }
        guard !app.appID.isEmpty, app.appID.utf8.count <= 256, app.deviceID.rawValue.hasPrefix("device_"),
            app.deviceID.rawValue.utf8.count <= 256
        else { throw InvalidResponse(reason: "the API told no account") }
        let added = try added.add(app, at: issuer.account.address, now: surroundings.now())
        try applyAccounts()
        return added
    }

    package func remove(_ name: String) throws {
        guard try added.remove(name) else { throw NotFound(what: "app", id: name) }
        try applyAccounts()
    }

    /// Adds an account that a host app owns. Returns its name.
    package func add(
        _ appID: String, at address: APIAddress, ownedBy owner: HostAppOwner
    ) throws -> String {
        let name = try added.add(appID, at: address, ownedBy: owner, now: surroundings.now())
        try applyAccounts()
        return name
    }

    /// What an owner says of itself is another thing by now.
    package func update(_ owner: HostAppOwner, of name: String) throws {
        guard try added.owners()[name] != owner else { return }
        try added.update(owner, of: name)
        try applyAccounts()
    }

    private func applyAccounts() throws { try apply(added.following(added.configured)) }

    /// A link does not say where it is from. Without a name it is the first account's API: to try one after
    /// the other would give the token away.
    private func issuer(_ name: String?) throws -> AccountUnit {
        if let name { return try accounts.only(name) }
        guard let first = accounts.units.first else {
            throw NotConfigured(reason: "no App ID is configured")
        }
        return first
    }

    /// The errors of the link SDK, each its own.
    private func answer<Answer>(
        _ endpoint: Endpoint<Answer>, of account: Account, by caller: AnonymousClient
    ) async throws -> Answer {
        guard let response = try await response(to: endpoint.request, by: caller) else {
            throw Offline(reason: "it does not answer")
        }
        let secrets = caller.secrets(of: endpoint.request)
        switch response.status {
        case 200...299: break
        case 401:
            throw NotAuthorized(reason: "the API refuses App ID \(account.configuration.appID)")
        default:
            let error = APIError(status: response.status, body: response.body, hiding: secrets)
            throw ServerError(status: response.status, reason: "\(error)")
        }
        do { return try endpoint.answer(from: response.body) } catch {
            throw InvalidResponse(reason: secrets.hide(in: "\(error)"))
        }
    }

    /// nil where none came while a person waits.
    private func response(to request: APIRequest, by caller: AnonymousClient) async throws -> HTTPResponse? {
        do {
            return try await surroundings.within(AccountUnit.answerLimit) {
                try await caller.answer(to: request)
            }
        } catch let error as HTTPError {
            throw Offline(reason: caller.secrets(of: request).hide(in: error.sentence(from: .api)))
        }
    }
}
