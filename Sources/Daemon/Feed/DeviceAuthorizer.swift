import Config
import CutieAPI
import Identity
import Store

/// A device that registers itself: once, and once more when its token is revoked.
final class DeviceAuthorizer: Authorizer {
    private let account: Account
    private let safe: TokenSafe
    private var token: DeviceToken?
    private(set) var generation = 0
    private var isLoaded = false
    /// Whether the safe holds what `token` is: not where that could not be kept.
    private var isKept = true
    /// The token is fetched and made in turns: two refused calls at once register once.
    private let turn = Turn()

    init(account: Account, safe: TokenSafe) { (self.account, self.safe) = (account, safe) }

    var isRegistered: Bool { token != nil }

    func headers(for request: APIRequest) -> [APIRequest.Header] {
        let device = account.credential.deviceID
        var headers = account.headers
        headers.append(.init(name: HeaderName.deviceID, value: device.rawValue))
        // A new token is not refused for the sake of the old one.
        if let token, !request.isRegistration {
            headers.append(.init(name: HeaderName.deviceToken, value: token.rawValue))
        }
        if request.needsDeviceSecret {
            headers.append(
                .init(name: HeaderName.deviceSecret, value: DeviceProof.secret(of: device).rawValue))
        }
        return headers
    }

    /// Finds the token of an earlier life. It may wait for a keyring, and for the person to unlock it: a
    /// token that cannot be read now is no reason to register again.
    func load() async throws(APIFailure) {
        try await alone { () throws(APIFailure) in
            try await self.find()
            await self.keep()
        }
    }

    /// Gets a token where there is none.
    func register(by client: APIClient) async throws(APIFailure) {
        guard token == nil else { return }
        try await alone { () throws(APIFailure) in
            try await self.find()
            guard self.token == nil else { return }
            let answer = try await client.register(self.registration)
            self.take(answer.deviceToken)
            await self.keep()
        }
    }

    /// The token is revoked: register again, unless another call did so meanwhile. The old token stays until the
    /// new one is here: what refused it may not be the API.
    func recover(from401 generation: Int, by client: APIClient) async throws(APIFailure) -> Bool {
        guard token != nil else {
            try await register(by: client)
            return token != nil
        }
        try await alone { () throws(APIFailure) in
            guard generation == self.generation else { return }
            let answer = try await client.register(self.registration)
            self.take(answer.deviceToken)
            await self.keep()
        }
        return true
    }

    private func alone(_ body: () async throws(APIFailure) -> Void) async throws(APIFailure) {
        do { try await turn.take() } catch { throw .cancelled }
        defer { turn.give() }
        try await body()
    }

    private func find() async throws(APIFailure) {
        guard !isLoaded else { return }
        do {
            token = try await safe.token()
            isLoaded = true
        } catch let failure as SecretFailure {
            throw failure.code == .cancelled ? .cancelled : .retry("\(failure)", ambiguous: false)
        } catch {
            throw .retry("the device token cannot be read: \(error)", ambiguous: false)
        }
    }

    private func take(_ token: DeviceToken) {
        self.token = token
        generation += 1
        isKept = false
    }

    /// A token that cannot be kept is used all the same: the next start registers again.
    private func keep() async {
        guard let token, !isKept else { return }
        let generation = self.generation
        let isKept = await safe.keep(token)
        // Revoked meanwhile: what is kept is to be forgotten.
        if generation == self.generation { self.isKept = isKept }
    }

    private var registration: Registration {
        let facts = account.facts
        return Registration(
            appID: account.credential.appID, appVersion: facts.appVersion, osVersion: facts.osVersion,
            deviceModel: facts.deviceModel)
    }
}
