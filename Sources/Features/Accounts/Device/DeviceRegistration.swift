import CutieAPI
import FeedPolicy
package import Reasons

/// The state of a device's registration with its API. All times are monotonic (`uptime`).
package struct DeviceRegistration {
    enum State: Equatable {
        /// Not loaded yet. A previous run may have stored a token.
        case unknown
        case unregistered
        case registered(DeviceToken)
        /// The API refused the token, and then refused to register the device. The token stays in use,
        /// because an intermediary may have sent the first refusal.
        case unverified(DeviceToken, Obstacle)
        /// The registration failed, so requests are sent without a token.
        case withoutToken(Obstacle)
    }

    /// The reason why the API issued no token.
    package struct Obstacle: Equatable {
        package enum Cause {
            /// The API does not support device registration.
            case unsupported
            /// The API refused the registration temporarily.
            case refused
        }

        package let cause: Cause
        package let reason: Reason
        let attemptedAt: Duration
        /// The earliest time of the next attempt.
        let due: Duration
    }

    /// The API's response to a registration.
    enum Response {
        case token(DeviceToken)
        /// The API does not support device registration.
        case notOffered(Reason)
        /// The API refused the registration temporarily. `floor`: the minimum delay (Retry-After).
        case refused(Reason, floor: Duration?)
    }

    /// The reaction to a 401.
    enum Recovery: Equatable {
        case repeatRequest
        case giveUp
        /// Wait, because the API refused the registration temporarily.
        case wait(Duration, Reason)
    }

    /// The retry interval if the API does not support registration: an update of the API may add support.
    private static let missingTokenRetry: Duration = .seconds(86_400)
    /// The minimum time between registration attempts, so that an API that refuses requests without a token
    /// does not cause one registration per request.
    static let minWait: Duration = .seconds(60)

    private(set) var state = State.unknown
    /// The number of times that the token has changed.
    private(set) var generation = 0
    private var backoff = Backoff()

    var token: DeviceToken? {
        switch state {
        case .registered(let token), .unverified(let token, _): token
        case .unknown, .unregistered, .withoutToken: nil
        }
    }

    var obstacle: Obstacle? {
        switch state {
        case .unverified(_, let obstacle), .withoutToken(let obstacle): obstacle
        case .unknown, .unregistered, .registered: nil
        }
    }

    /// The time of the next registration attempt; `nil` if the device has a token.
    var due: Duration? {
        switch state {
        case .unknown, .unregistered: .zero
        case .withoutToken(let obstacle): obstacle.due
        case .registered, .unverified: nil
        }
    }

    func needsRegistration(at now: Duration) -> Bool { due.map { $0 <= now } ?? false }

    /// Restores the token of a previous run.
    mutating func restoreToken(_ token: DeviceToken?) {
        guard state == .unknown else { return }
        state = token.map(State.registered) ?? .unregistered
    }

    /// Applies the API's response. `random`: a uniform value in 0..<1, for the backoff after a refusal.
    mutating func applyResponse(_ response: Response, at now: Duration, random: () -> Double) {
        switch response {
        case .token(let token):
            state = .registered(token)
            generation += 1
            backoff.reset()
        case .notOffered(let reason):
            recordFailure(
                Obstacle(
                    cause: .unsupported, reason: reason, attemptedAt: now, due: now + Self.missingTokenRetry)
            )
        case .refused(let reason, let floor):
            let wait = backoff.nextDelay(random: random(), minimumDelay: floor)
            recordFailure(Obstacle(cause: .refused, reason: reason, attemptedAt: now, due: now + wait))
        }
    }

    private mutating func recordFailure(_ obstacle: Obstacle) {
        state = token.map { .unverified($0, obstacle) } ?? .withoutToken(obstacle)
    }

    /// Handles the refusal of a request without a token: the API may now support registration, so the next
    /// registration attempt is due immediately. Does nothing if the last attempt was less than `minWait`
    /// ago.
    mutating func scheduleRegistrationAfterMissingToken(at now: Duration) {
        guard case .withoutToken(let obstacle) = state, obstacle.cause == .unsupported,
            now - obstacle.attemptedAt >= Self.minWait
        else { return }
        state = .unregistered
    }

    /// Returns the reaction to a 401, after the device has tried to obtain another token. Discards the token
    /// if a request without a token may succeed. `generation`: identifies the credentials of the request.
    /// `hadToken`: whether the request contained a token. `isFromAPI`: whether the API itself sent the
    /// response, not an intermediary.
    mutating func handleRefusal(
        credentialGeneration generation: Int, hadToken: Bool, isFromAPI: Bool, at now: Duration
    ) -> Recovery {
        guard generation == self.generation, let obstacle else {
            return token == nil ? .giveUp : .repeatRequest
        }
        guard obstacle.cause == .unsupported else {
            return .wait(max(.zero, obstacle.due - now), obstacle.reason)
        }
        // The API no longer issues tokens, so it may accept the request without a token.
        guard hadToken, isFromAPI else { return .giveUp }
        state = .withoutToken(obstacle)
        self.generation += 1
        return .repeatRequest
    }
}
