import Config
import CutieAPI
import Inbox
import Logging
import Store

/// Tells the server the address that the person registered for pushes: at once, again after each start, and
/// again where the device registered anew.
final class PushRegistrar {
    private let account: Account
    private let profile: Profile
    private let client: APIClient
    private let authorizer: any Authorizer
    private let store: Store
    private let surroundings: Surroundings
    private let logger: Logger
    private let work = Head()
    /// Counts what was wanted.
    private var wanted = 0
    private var answered: (number: Int, failure: APIFailure?) = (0, nil)
    private let answers = Head()
    /// What the server was told with; nil: not told by this process.
    private var toldGeneration: Int?
    private var backoff = Backoff()
    /// The server asked not to be told before that, of `uptime`.
    private var floor = Duration.zero

    init(
        account: Account, profile: Profile, client: APIClient, authorizer: any Authorizer, store: Store,
        surroundings: Surroundings, logger: Logger
    ) {
        (self.account, self.profile) = (account, profile)
        (self.client, self.authorizer) = (client, authorizer)
        (self.store, self.surroundings, self.logger) = (store, surroundings, logger)
    }

    /// What keeps the server from knowing, where it does not.
    var failure: APIFailure? { answered.failure }

    func status() throws -> PushWish? {
        try store.read { try $0.value(of: PushWish.setting(of: account.id)) }
    }

    /// Wants `token`, or with nil that there is none. False where the server does not know yet after `limit`.
    func want(_ token: PushToken?, within limit: Duration) async throws -> Bool {
        try keep(PushWish(token: token))
        wanted += 1
        let number = wanted
        work.advance()
        let ended = try await surroundings.within(limit) {
            while true {
                let seen = self.answers.value
                if self.answered.number >= number { return self.answered.failure }
                try await self.answers.passed(seen)
            }
        }
        guard let ended else { return false }
        guard let failure = ended else { return true }
        if case .retry = failure { return false }
        throw failure
    }

    /// The API is reached: what it may not know any more is told again.
    func look() {
        guard surroundings.uptime >= floor else { return }
        if toldGeneration != authorizer.generation { work.advance() }
    }

    /// Tells until it is cancelled.
    func run() async throws {
        while true {
            let seen = work.value
            let wait = seen > 0 ? try await tell() : nil
            try await surroundings.wait(for: work, past: seen, atMost: wait)
        }
    }

    /// Returns when to tell again; nil where nothing is left to tell.
    private func tell() async throws -> Duration? {
        guard let wish = try status() else { return nil }
        let number = wanted
        do {
            if let token = wish.token {
                _ = try await client.send(.registerNotifications(registration(token)))
            } else {
                try await unregister()
            }
            toldGeneration = authorizer.generation
            try keep(wish, toldAt: surroundings.now())
            end(number, nil)
            return wait(after: nil)
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            logger.info("the push address is not told", metadata: ["reason": "\(failure.sentence)"])
            try keep(wish, after: failure)
            end(number, failure)
            return wait(after: failure)
        }
    }

    /// The connection may live on where this call fails: nobody else would have it made again.
    private func wait(after failure: APIFailure?) -> Duration? {
        guard case .retry(_, let floor, _)? = failure else {
            backoff.reset()
            self.floor = .zero
            return nil
        }
        self.floor = surroundings.uptime + (floor ?? .zero)
        return backoff.next(random: surroundings.random(), floor: floor)
    }

    /// A server that knows no such address has nothing to take back.
    private func unregister() async throws {
        do { _ = try await client.send(.unregisterNotifications()) } catch APIFailure.absent {}
    }

    /// Whatever was wanted meanwhile stays.
    private func keep(_ wish: PushWish, toldAt: Timestamp) throws {
        guard try status() == wish else { return }
        try keep(wish.token == nil ? nil : PushWish(token: wish.token, toldAt: toldAt))
    }

    private func keep(_ wish: PushWish, after failure: APIFailure) throws {
        if case .retry = failure { return }
        guard try status() == wish else { return }
        try keep(PushWish(token: wish.token, refusal: failure.sentence))
    }

    private func keep(_ wish: PushWish?) throws {
        try store.write { try $0.set(PushWish.setting(of: account.id), to: wish) }
    }

    private func end(_ number: Int, _ failure: APIFailure?) {
        answered = (number, failure)
        answers.advance()
    }

    private func registration(_ token: PushToken) -> PushRegistration {
        let facts = account.facts
        return PushRegistration(
            pushToken: token, bundleID: account.configuration.bundleID, userID: profile.userID,
            appVersion: facts.appVersion, osVersion: facts.osVersion, deviceModel: facts.deviceModel)
    }
}
