import Config
package import CutieAPI
import EventLog
import FeedPolicy
import Logging
package import Reasons
import Store

/// Registers the user's push address with the server: when the user sets the address, at startup, and after
/// each new registration of the device.
package final class PushRegistrar {
    private let account: Account
    private let device: Account.Device
    private let profile: Profile
    private let client: APIClient
    private let authorizer: any Authorizer
    private let store: MessageStore
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private let work = ChangeSignal()
    /// The number of changes that the user requested since the daemon started.
    private var requestNumber = 0
    private var answered: (number: Int, failure: APIFailure?) = (0, nil)
    private let answers = ChangeSignal()
    /// The generation of the device token at the last registration; `nil` if this process has registered no
    /// address.
    private var registeredGeneration: Int?
    private var backoff = Backoff()
    /// The earliest time of the next request (Retry-After) on the `uptime` clock.
    private var floor = Duration.zero

    init(
        account: Account, device: Account.Device, profile: Profile, client: APIClient,
        authorizer: any Authorizer, store: MessageStore, runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.account, self.device, self.profile) = (account, device, profile)
        (self.client, self.authorizer) = (client, authorizer)
        (self.store, self.runtime, self.logger) = (store, runtime, logger)
    }

    /// The reason why the last registration failed; `nil` if it succeeded, or if there was no registration
    /// yet.
    package var failure: APIFailure? { answered.failure }

    package func readRequest() throws -> PushRequest? {
        try store.read { try $0.settings.fetchValue(of: PushRequest.storedSetting(of: account.id)) }
    }

    /// Requests the registration of `token`, or the removal of the address if `token` is `nil`. Returns
    /// whether the change is still pending, because the server has not processed the change within `limit`,
    /// or because the change failed temporarily. Throws if the server refused the change.
    package func setPushToken(_ token: PushToken?, within limit: Duration) async throws -> Bool {
        try save(PushRequest(token: token))
        requestNumber += 1
        let number = requestNumber
        work.notify()
        let ended = try await runtime.withTimeout(limit) {
            while true {
                let seen = self.answers.count
                if self.answered.number >= number { return self.answered.failure }
                try await self.answers.wait(past: seen)
            }
        }
        guard let ended else { return true }
        guard let failure = ended else { return false }
        if case .retry = failure { return true }
        throw failure
    }

    /// Registers the address again after a reconnection if the device token has changed.
    func registerAfterReconnect() {
        guard runtime.uptime >= floor else { return }
        if registeredGeneration != authorizer.generation { work.notify() }
    }

    /// Sends changes to the server until cancelled.
    func run() async throws {
        while true {
            let (seen, number) = (work.count, requestNumber)
            let wait = seen > 0 ? try await sendRegistration() : nil
            // Until the Retry-After has passed, a change that the user requested may cause an attempt, but a
            // reconnection must not.
            let isHeld = runtime.uptime < floor && requestNumber == number
            try await runtime.wait(for: work, past: isHeld ? work.count : seen, atMost: wait)
        }
    }

    /// Sends the current address to the server, or removes the device from the server if there is no address.
    /// Returns the time until the next attempt; `nil` if the server is up to date.
    private func sendRegistration() async throws -> Duration? {
        guard let request = try readRequest() else { return nil }
        let number = requestNumber
        do {
            if let token = request.token {
                _ = try await client.send(.registerNotifications(makeRegistration(for: token)))
            } else {
                try await unregister()
            }
            registeredGeneration = authorizer.generation
            try save(request, registeredAt: runtime.now())
            finishRequest(withNumber: number, failure: nil)
            return retryDelay(after: nil)
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            logger.info("the push token could not be registered", metadata: ["reason": "\(failure.sentence)"])
            try save(request, after: failure)
            finishRequest(withNumber: number, failure: failure)
            return retryDelay(after: failure)
        }
    }

    /// Returns the time until the next attempt; `nil` if no retry is useful. The caller needs a timer for
    /// the retry: only a reconnection calls `registerAfterReconnect`, and the connection may stay open
    /// after this failure.
    private func retryDelay(after failure: APIFailure?) -> Duration? {
        guard case .retry(_, let floor, _)? = failure else {
            backoff.reset()
            self.floor = .zero
            return nil
        }
        self.floor = runtime.uptime + (floor ?? .zero)
        return backoff.nextDelay(random: runtime.random(), minimumDelay: floor)
    }

    /// Removes the address from the server. An absent address is not an error.
    private func unregister() async throws {
        do { _ = try await client.send(.unregisterNotifications()) } catch APIFailure.absent {}
    }

    /// Stores the result, unless the user requested another change while the request was in flight.
    private func save(_ request: PushRequest, registeredAt: Timestamp) throws {
        guard try readRequest() == request else { return }
        try save(request.token == nil ? nil : PushRequest(token: request.token, toldAt: registeredAt))
    }

    private func save(_ request: PushRequest, after failure: APIFailure) throws {
        if case .retry = failure { return }
        guard try readRequest() == request else { return }
        try save(PushRequest(token: request.token, refusal: StoredReason(failure.reason)))
    }

    private func save(_ request: PushRequest?) throws {
        try store.write {
            try $0.settings.setValue(of: PushRequest.storedSetting(of: account.id), to: request)
        }
    }

    private func finishRequest(withNumber number: Int, failure: APIFailure?) {
        answered = (number, failure)
        answers.notify()
    }

    private func makeRegistration(for token: PushToken) -> PushRegistration {
        let facts = device.facts
        return PushRegistration(
            pushToken: token, bundleID: account.configuration.bundleID, userID: profile.userID,
            appVersion: facts.appVersion, osVersion: facts.osVersion, deviceModel: facts.deviceModel)
    }
}

/// The push address that the user requested, and the result of its registration. Stored across restarts;
/// there is no row if no address was set, or after the address was removed.
package struct PushRequest: Codable, Equatable {
    /// The address; `nil` if it must be removed from the server.
    package var token: PushToken?
    /// The time when the server accepted the address; `nil` before that.
    package var toldAt: Timestamp?
    /// The reason why the server refused the address; `nil` if it was not refused.
    package var refusal: StoredReason?

    static func storedSetting(of account: AccountID) -> StoredSetting<Self> {
        StoredSetting("push", of: account)
    }

    /// The state of the registration, as the status shows it.
    package var state: String {
        if refusal != nil { return "refused" }
        if token == nil { return "leaving" }
        return toldAt == nil ? "waiting" : "registered"
    }
}
