package import ControlAPI
package import CutieAPI
import Identity
import Log
import Logging
import Store

/// A device that registers itself: once, and once more when its token is revoked. Where the API does not
/// register it, requests go without a token, as the device SDK's do.
package final class DeviceAuthorizer: Authorizer {
    private let account: Account
    private let device: Account.Device
    private let safe: TokenSafe
    private let surroundings: Surroundings
    private var registration = DeviceRegistration()
    /// The generation of the token that the safe holds.
    private var keptGeneration = 0
    /// Two refused calls at once register once, and a registration goes on if they are cancelled.
    private let work: UninterruptedWork
    /// Moves when the API has answered a registration.
    private let answers = Signal()

    init(
        account: Account, device: Account.Device, secrets: SecretStore, store: Store,
        surroundings: Surroundings, logger: Logger, work: UninterruptedWork
    ) {
        (self.account, self.device, self.surroundings) = (account, device, surroundings)
        self.work = work
        safe = TokenSafe(of: account, device.id, secrets: secrets, store: store, logger: logger)
    }

    package var generation: Int { registration.generation }

    /// Why there is no token although the API was asked for one.
    package var obstacle: DeviceRegistration.Obstacle? { registration.obstacle }

    package var isReady: Bool { !registration.isDue(at: surroundings.uptime) }

    package var authentication: Authentication {
        switch registration.state {
        case .registered: .authenticated
        case .tokenless(let obstacle): obstacle.cause == .lacking ? .authenticated : .unknown
        case .unknown, .unregistered, .doubted: .unknown
        }
    }

    package func headers(for request: APIRequest) -> [APIRequest.Header] {
        var headers = account.headers
        headers.append(.init(name: HeaderName.deviceID, value: device.id.rawValue))
        // A new token is not refused for the sake of the old one.
        if let token = registration.token, !request.isRegistration {
            headers.append(.init(name: HeaderName.deviceToken, value: token.rawValue))
        }
        if request.needsDeviceSecret {
            let secret = DeviceProof.secret(of: device.id)
            headers.append(.init(name: HeaderName.deviceSecret, value: secret.rawValue))
        }
        return headers
    }

    /// A token that cannot be read now is no reason to register again.
    package func load() async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in
            try await self.find()
            await self.keep()
        }
    }

    /// Gets a token where there is none. That the API does not give one is no failure: it may let us without.
    package func prepare(by client: APIClient) async throws(APIFailure) {
        guard !isReady else { return }
        try await withLock { () throws(APIFailure) in
            try await self.find()
            guard !self.isReady else { return }
            try await self.register(by: client)
        }
    }

    /// Asks again in its time where the API did not register the device: a stream that lives makes no requests.
    package func run(by client: APIClient) async throws {
        while true {
            let seen = answers.count
            let wait = obstacle == nil ? nil : registration.due.map { max(.zero, $0 - surroundings.uptime) }
            try await surroundings.wait(for: answers, past: seen, atMost: wait)
            guard answers.count == seen else { continue }
            do { try await prepare(by: client) } catch .cancelled { throw CancellationError() } catch {
                // The feed is told, too.
                let pause = DeviceRegistration.shortestWait
                try await surroundings.wait(for: answers, past: answers.count, atMost: pause)
            }
        }
    }

    /// The token is revoked: register again, unless another call did so meanwhile. Without a token, the API wants
    /// one after all.
    package func recover(
        from401 generation: Int, saidByAPI isOfTheAPI: Bool, by client: APIClient
    ) async throws(APIFailure) -> Bool {
        let hadToken = registration.token != nil
        if hadToken {
            try await renew(generation, by: client)
        } else {
            registration.doubtLack(at: surroundings.uptime)
            try await prepare(by: client)
        }
        let recovery = registration.recover(
            from: generation, hadToken: hadToken, isOfTheAPI: isOfTheAPI, at: surroundings.uptime)
        switch recovery {
        case .repeatRequest: return true
        case .giveUp: return false
        case .wait(let floor, let reason):
            throw .retry("the API does not register this device: \(reason)", floor: floor, ambiguous: false)
        }
    }

    private func renew(_ generation: Int, by client: APIClient) async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in
            guard generation == self.generation else { return }
            try await self.register(by: client)
        }
    }

    private func register(by client: APIClient) async throws(APIFailure) {
        try await ask(client)
        await keep()
    }

    private func ask(_ client: APIClient) async throws(APIFailure) {
        defer { answers.notify() }
        let facts = device.facts
        let answer = try await client.register(
            Registration(
                appID: device.appID, appVersion: facts.appVersion, osVersion: facts.osVersion,
                deviceModel: facts.deviceModel))
        registration.accept(answer, at: surroundings.uptime, random: surroundings.random)
    }

    private func withLock(_ body: @escaping () async throws(APIFailure) -> Void) async throws(APIFailure) {
        try await work.runCall(body)
    }

    private func find() async throws(APIFailure) {
        guard registration.state == .unknown else { return }
        do {
            registration.find(try await safe.token())
        } catch let failure as SecretFailure {
            throw failure.code == .cancelled ? .cancelled : .retry("\(failure)", ambiguous: false)
        } catch {
            throw .retry("the device token cannot be read: \(error)", ambiguous: false)
        }
    }

    /// A token that cannot be kept is used all the same: the next start registers again.
    private func keep() async {
        let generation = generation
        guard let token = registration.token, keptGeneration != generation else { return }
        if await safe.keep(token) { keptGeneration = generation }
    }
}

/// Where the token of one device is kept: in the secret store, under the origin that issued it.
private final class TokenSafe {
    private let account: AccountID
    private let name: SecretName
    private let secrets: SecretStore
    private let store: Store
    private let logger: Logger

    init(of account: Account, _ device: DeviceID, secrets: SecretStore, store: Store, logger: Logger) {
        (self.account, self.secrets, self.store, self.logger) = (account.id, secrets, store, logger)
        name = SecretName(
            account: account.name, address: account.address, type: .deviceToken,
            subject: device.rawValue)
    }

    /// nil where there is none. Throws where there is one in a keyring that does not give it.
    func token() async throws -> DeviceToken? {
        let kept = try await secrets.secret(name)
        guard
            let former = try store.read({ try $0.accounts.find(account) })?.formerToken.map({
                DeviceToken($0)
            })
        else { return kept?.token() }
        if kept == nil {
            // Without another place the database is the better one than none.
            guard await keep(former) else { return former }
        }
        try Ingest.forgetFormerToken(of: account, in: store)
        return kept?.token() ?? former
    }

    /// False where it could not be kept.
    func keep(_ token: DeviceToken) async -> Bool {
        do {
            try await secrets.keep(Secret(token), as: name)
            return true
        } catch {
            logger.warning("the device token is not kept", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
