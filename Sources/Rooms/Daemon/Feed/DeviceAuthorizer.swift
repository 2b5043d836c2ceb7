import Config
import CutieAPI
import Identity
import Inbox
import Store

/// A device that registers itself: once, and once more when its token is revoked. Where the API does not
/// register it, requests go without a token, as the device SDK's do.
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
    private let surroundings: Surroundings
    /// Why there is no token although the API was asked for one.
    private(set) var obstacle: Obstacle?
    private var backoff = Backoff()
    /// Moves when the API has answered a registration.
    private let answers = Head()

    struct Obstacle {
        let reason: String
        /// The API registers no device at all.
        let isLacking: Bool
        /// Of `uptime`, as what follows.
        let asked: Duration
        let due: Duration
    }

    /// A service that registers nobody may do so one day.
    private static let lackingWait: Duration = .seconds(86_400)
    /// Where it refuses who has no token, it is asked again, but not with each request.
    private static let shortestWait: Duration = .seconds(60)

    init(account: Account, safe: TokenSafe, surroundings: Surroundings) {
        (self.account, self.safe, self.surroundings) = (account, safe, surroundings)
    }

    var isRegistered: Bool { token != nil }

    /// The next request asks for a token first.
    var isToRegister: Bool { token == nil && obstacle.map { $0.due <= surroundings.uptime } ?? true }

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

    /// Gets a token where there is none. That the API does not give one is no failure: it may let us without.
    func register(by client: APIClient) async throws(APIFailure) {
        guard isToRegister else { return }
        try await alone { () throws(APIFailure) in
            try await self.find()
            guard self.isToRegister else { return }
            try await self.ask(client)
            await self.keep()
        }
    }

    private func ask(_ client: APIClient) async throws(APIFailure) {
        defer { answers.advance() }
        let answer = try await client.register(registration)
        let now = surroundings.uptime
        switch answer {
        case .token(let token):
            (obstacle, backoff) = (nil, Backoff())
            take(token)
        case .notOffered(let reason):
            obstacle = Obstacle(reason: reason, isLacking: true, asked: now, due: now + Self.lackingWait)
        case .refused(let reason, let floor):
            let wait = backoff.next(random: surroundings.random(), floor: floor)
            obstacle = Obstacle(reason: reason, isLacking: false, asked: now, due: now + wait)
        }
    }

    /// Asks again in its time where the API did not register the device, until it is cancelled: a stream that
    /// lives makes no requests.
    func run(by client: APIClient) async throws {
        while true {
            let seen = answers.value
            let wait = obstacle.map { max(.zero, $0.due - surroundings.uptime) }
            try await surroundings.wait(for: answers, past: seen, atMost: wait)
            guard answers.value == seen else { continue }
            do { try await register(by: client) } catch .cancelled { throw CancellationError() } catch {
                // The feed is told, too.
                try await surroundings.wait(for: answers, past: answers.value, atMost: Self.shortestWait)
            }
        }
    }

    /// The token is revoked: register again, unless another call did so meanwhile. The old token stays until the
    /// new one is here: what refused it may not be the API. Without a token, the API wants one after all.
    func recover(
        from401 generation: Int, saidByAPI isOfTheAPI: Bool, by client: APIClient
    ) async throws(APIFailure) -> Bool {
        let hadToken = token != nil
        if hadToken {
            try await renew(generation, by: client)
        } else {
            try await registerAfterAll(by: client)
        }
        guard generation == self.generation, let obstacle else { return token != nil }
        guard obstacle.isLacking else {
            let floor = max(.zero, obstacle.due - surroundings.uptime)
            throw .retry(
                "the API does not register this device: \(obstacle.reason)", floor: floor, ambiguous: false)
        }
        // It knows no tokens any more: without the one that it refuses it may let us.
        guard hadToken, isOfTheAPI else { return false }
        take(nil)
        return true
    }

    private func renew(_ generation: Int, by client: APIClient) async throws(APIFailure) {
        try await alone { () throws(APIFailure) in
            guard generation == self.generation else { return }
            try await self.ask(client)
            await self.keep()
        }
    }

    private func registerAfterAll(by client: APIClient) async throws(APIFailure) {
        if let obstacle, obstacle.isLacking, surroundings.uptime - obstacle.asked >= Self.shortestWait {
            self.obstacle = nil
        }
        try await register(by: client)
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

    private func take(_ token: DeviceToken?) {
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
