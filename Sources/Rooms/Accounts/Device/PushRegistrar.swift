import Config
package import CutieAPI
import Inbox
import Log
import Logging
import Store

/// Tells the server the address that the person registered for pushes: at once, again after each start, and
/// again where the device registered anew.
package final class PushRegistrar {
    private let account: Account
    private let device: Account.Device
    private let profile: Profile
    private let client: APIClient
    private let authorizer: any Authorizer
    private let store: Store
    private let surroundings: Surroundings
    private let logger: Logger
    private let work = Signal()
    /// Counts what was wanted.
    private var wanted = 0
    private var answered: (number: Int, failure: APIFailure?) = (0, nil)
    private let answers = Signal()
    /// What the server was told with; nil: not told by this process.
    private var toldGeneration: Int?
    private var backoff = Backoff()
    /// The server asked not to be told before that, of `uptime`.
    private var floor = Duration.zero

    init(
        account: Account, device: Account.Device, profile: Profile, client: APIClient,
        authorizer: any Authorizer, store: Store, surroundings: Surroundings, logger: Logger
    ) {
        (self.account, self.device, self.profile) = (account, device, profile)
        (self.client, self.authorizer) = (client, authorizer)
        (self.store, self.surroundings, self.logger) = (store, surroundings, logger)
    }

    /// What keeps the server from knowing, where it does not.
    package var failure: APIFailure? { answered.failure }

    package func status() throws -> PushWish? {
        try store.read { try $0.settings.value(of: PushWish.setting(of: account.id)) }
    }

    /// Wants `token`, or with nil that there is none. False where the server does not know yet after `limit`.
    package func want(_ token: PushToken?, within limit: Duration) async throws -> Bool {
        try keep(PushWish(token: token))
        wanted += 1
        let number = wanted
        work.notify()
        let ended = try await surroundings.within(limit) {
            while true {
                let seen = self.answers.count
                if self.answered.number >= number { return self.answered.failure }
                try await self.answers.wait(past: seen)
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
        if toldGeneration != authorizer.generation { work.notify() }
    }

    /// Tells until it is cancelled.
    func run() async throws {
        while true {
            let (seen, number) = (work.count, wanted)
            let wait = seen > 0 ? try await tell() : nil
            // A connection that came back meanwhile is no reason to tell sooner than the server asked; what a
            // person wants by now is.
            let isHeld = surroundings.uptime < floor && wanted == number
            try await surroundings.wait(for: work, past: isHeld ? work.count : seen, atMost: wait)
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
        try store.write { try $0.settings.set(PushWish.setting(of: account.id), to: wish) }
    }

    private func end(_ number: Int, _ failure: APIFailure?) {
        answered = (number, failure)
        answers.notify()
    }

    private func registration(_ token: PushToken) -> PushRegistration {
        let facts = device.facts
        return PushRegistration(
            pushToken: token, bundleID: account.configuration.bundleID, userID: profile.userID,
            appVersion: facts.appVersion, osVersion: facts.osVersion, deviceModel: facts.deviceModel)
    }
}

/// Where a push service reaches this device, as the person wants it and as far as the server knows. It
/// survives restarts; what has no row was never wanted, or is taken back.
package struct PushWish: Codable, Equatable {
    /// nil: the address is to be taken back.
    package var token: PushToken?
    /// When the server took it.
    package var toldAt: Timestamp?
    /// Why the server does not want it.
    package var refusal: String?

    static func setting(of account: AccountID) -> Setting<Self> { Setting("push", of: account) }

    /// The word that `status` has for it.
    package var state: String {
        if refusal != nil { return "refused" }
        if token == nil { return "leaving" }
        return toldAt == nil ? "waiting" : "registered"
    }
}
