package import CutieAPI
package import Domain
import EventLog
import Identity
import Logging
import Reasons
import Store

/// The authorizer of a device account, which registers the device once, and again if its token is revoked. If
/// the API does not register the device, requests are sent without a token, as in the device SDK.
package final class DeviceAuthorizer: Authorizer {
    private let account: Account
    private let device: Account.Device
    private let tokenStore: DeviceTokenStore
    private let runtime: RuntimeEnvironment
    private var registration = DeviceRegistration()
    /// The generation of the token that is in the secret store.
    private var savedGeneration = 0
    /// Coalesces concurrent registrations after refused requests. A registration continues if its callers are
    /// cancelled.
    private let work: UninterruptedWork
    /// Notified when a registration request has ended.
    private let answers = ChangeSignal()

    init(
        account: Account, device: Account.Device, secrets: SecretStore, store: MessageStore,
        runtime: RuntimeEnvironment, logger: Logger, work: UninterruptedWork
    ) {
        (self.account, self.device, self.runtime) = (account, device, runtime)
        self.work = work
        tokenStore = DeviceTokenStore(
            of: account, device: device.id, secrets: secrets, store: store, logger: logger)
    }

    package var generation: Int { registration.generation }

    /// The reason why the API refused to issue a token; `nil` if there was no refusal.
    package var obstacle: DeviceRegistration.Obstacle? { registration.obstacle }

    package var isReady: Bool { !registration.needsRegistration(at: runtime.uptime) }

    package var authentication: AuthenticationState {
        switch registration.state {
        case .registered: .authenticated
        case .withoutToken(let obstacle): obstacle.cause == .unsupported ? .authenticated : .unknown
        case .unknown, .unregistered, .unverified: .unknown
        }
    }

    package func headers(for request: APIRequest) -> [APIRequest.Header] {
        var headers = account.headers
        headers.append(.init(name: HeaderName.deviceID, value: device.id.rawValue))
        // Send no token with a registration: the API could otherwise refuse the registration because of an
        // old token.
        if let token = registration.token, !request.isRegistration {
            headers.append(.init(name: HeaderName.deviceToken, value: token.rawValue))
        }
        if request.needsDeviceSecret {
            let secret = DeviceProof.derivedSecret(for: device.id)
            headers.append(.init(name: HeaderName.deviceSecret, value: secret.rawValue))
        }
        return headers
    }

    /// Loads the stored token, and stores a token that an earlier call could not store. Throws if the token
    /// cannot be read now, because the device would otherwise register again.
    package func loadCredentials() async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in
            try await self.loadToken()
            await self.saveToken()
        }
    }

    /// Registers the device if it has no token. A refusal by the API is not an error, because the API may
    /// accept requests without a token.
    package func ensureCredentials(using client: APIClient) async throws(APIFailure) {
        guard !isReady else { return }
        try await withLock { () throws(APIFailure) in
            try await self.loadToken()
            guard !self.isReady else { return }
            try await self.registerDevice(using: client)
        }
    }

    /// Retries a refused registration periodically. Each request would also trigger a retry, but no requests
    /// are sent while a stream is open.
    package func runPeriodicWork(using client: APIClient) async throws {
        while true {
            let seen = answers.count
            let wait = obstacle == nil ? nil : registration.due.map { max(.zero, $0 - runtime.uptime) }
            try await runtime.wait(for: answers, past: seen, atMost: wait)
            guard answers.count == seen else { continue }
            do { try await ensureCredentials(using: client) } catch .cancelled {
                throw CancellationError()
            } catch {
                // The feed reports this failure, so only retry.
                let pause = DeviceRegistration.minWait
                try await runtime.wait(for: answers, past: answers.count, atMost: pause)
            }
        }
    }

    /// Registers again after a 401, unless another call has already done so. Returns whether a retry may
    /// succeed now; throws `retry` if it may succeed later. A 401 to a request without a token means that the
    /// API now requires a token.
    package func recoverFromUnauthorized(
        credentialGeneration generation: Int, isFromAPI: Bool, using client: APIClient
    ) async throws(APIFailure) -> Bool {
        let hadToken = registration.token != nil
        if hadToken {
            try await renewToken(ofGeneration: generation, using: client)
        } else {
            registration.scheduleRegistrationAfterMissingToken(at: runtime.uptime)
            try await ensureCredentials(using: client)
        }
        let recovery = registration.handleRefusal(
            credentialGeneration: generation, hadToken: hadToken, isFromAPI: isFromAPI, at: runtime.uptime)
        switch recovery {
        case .repeatRequest: return true
        case .giveUp: return false
        case .wait(let floor, let reason):
            throw .retry(
                Reason(.deviceNotRegistered, because: reason), floor: floor, ambiguous: false)
        }
    }

    private func renewToken(ofGeneration generation: Int, using client: APIClient) async throws(APIFailure) {
        try await withLock { () throws(APIFailure) in
            guard generation == self.generation else { return }
            try await self.registerDevice(using: client)
        }
    }

    private func registerDevice(using client: APIClient) async throws(APIFailure) {
        try await requestToken(from: client)
        await saveToken()
    }

    private func requestToken(from client: APIClient) async throws(APIFailure) {
        defer { answers.notify() }
        let facts = device.facts
        let answer = try await client.register(
            Registration(
                appID: device.appID, appVersion: facts.appVersion, osVersion: facts.osVersion,
                deviceModel: facts.deviceModel))
        registration.applyResponse(answer, at: runtime.uptime, random: runtime.random)
    }

    private func withLock(_ body: @escaping () async throws(APIFailure) -> Void) async throws(APIFailure) {
        try await work.runAPICall(body)
    }

    private func loadToken() async throws(APIFailure) {
        guard registration.state == .unknown else { return }
        do {
            registration.restoreToken(try await tokenStore.readAndMigrateToken())
        } catch let failure as SecretFailure {
            throw failure.code == .cancelled ? .cancelled : .retry(failure.reason, ambiguous: false)
        } catch {
            throw .retry(
                Reason(.deviceTokenUnreadable, reasons: ["message": Reason(describing: error)]),
                ambiguous: false)
        }
    }

    /// Stores the token. If the token cannot be stored, it is still used in this run, and the device
    /// registers again after a restart.
    private func saveToken() async {
        let generation = generation
        guard let token = registration.token, savedGeneration != generation else { return }
        if await tokenStore.save(token) { savedGeneration = generation }
    }
}

/// Stores the token of one device in the secret store, under the origin that issued it.
private final class DeviceTokenStore {
    private let account: AccountID
    private let name: SecretName
    private let secrets: SecretStore
    private let store: MessageStore
    private let logger: Logger

    init(of account: Account, device: DeviceID, secrets: SecretStore, store: MessageStore, logger: Logger) {
        (self.account, self.secrets, self.store, self.logger) = (account.id, secrets, store, logger)
        name = SecretName(
            account: account.name, address: account.address, type: .deviceToken,
            subject: device.rawValue)
    }

    /// Returns the token; `nil` if no token is stored. Moves a token that an earlier version stored in the
    /// database to the secret store. Throws if the keyring cannot return the token now.
    func readAndMigrateToken() async throws -> DeviceToken? {
        let kept = try await secrets.findSecret(named: name)
        guard
            let former = try store.read({ try $0.accounts.find(account) })?.legacyToken.map({
                DeviceToken($0)
            })
        else { return kept?.token() }
        if kept == nil {
            // If the secret store is unavailable, keep the token in the database.
            guard await save(former) else { return former }
        }
        try Ingest.deleteLegacyToken(of: account, in: store)
        return kept?.token() ?? former
    }

    /// Stores the token. Returns `false` if the token could not be stored.
    func save(_ token: DeviceToken) async -> Bool {
        do {
            try await secrets.store(Secret(token), as: name)
            return true
        } catch {
            logger.warning("the device token could not be stored", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
