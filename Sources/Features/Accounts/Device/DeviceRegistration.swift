import CutieAPI
import FeedPolicy

/// The state of a device's registration at its API. All times are in `uptime`.
package struct DeviceRegistration {
    enum State: Equatable {
        /// Not loaded yet: a previous run may have stored a token.
        case unknown
        case unregistered
        case registered(DeviceToken)
        /// The token was refused and no other one issued. The token is kept: the refusal may not come from
        /// the API.
        case unverified(DeviceToken, Obstacle)
        /// Requests are sent without a token.
        case withoutToken(Obstacle)
    }

    /// The reason why the API issued no token.
    package struct Obstacle: Equatable {
        package enum Cause {
            /// The API registers no devices at all.
            case unsupported
            /// The API does not register this device now.
            case refused
        }

        package let cause: Cause
        package let reason: String
        let askedAt: Duration
        /// The earliest time of the next attempt.
        let due: Duration
    }

    /// The API's answer to a registration.
    enum Answer {
        case token(DeviceToken)
        /// The API registers no devices.
        case notOffered(String)
        /// The API does not register this device now. `floor`: its Retry-After.
        case refused(String, floor: Duration?)
    }

    /// The reaction to a 401.
    enum Recovery: Equatable {
        case repeatRequest
        case giveUp
        /// The API does not register the device now.
        case wait(Duration, String)
    }

    /// A service without registration may introduce it later.
    private static let missingTokenRetry: Duration = .seconds(86_400)
    /// The minimum time between attempts: an API that refuses requests without a token is asked again, but
    /// not for each request.
    static let minWait: Duration = .seconds(60)

    private(set) var state = State.unknown
    /// A counter of the changes of the token.
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

    /// The time of the next registration attempt of a device without a token; `nil` if it has one.
    var due: Duration? {
        switch state {
        case .unknown, .unregistered: .zero
        case .withoutToken(let obstacle): obstacle.due
        case .registered, .unverified: nil
        }
    }

    func isDue(at now: Duration) -> Bool { due.map { $0 <= now } ?? false }

    /// Loads the token of a previous run.
    mutating func restore(_ token: DeviceToken?) {
        guard state == .unknown else { return }
        state = token.map(State.registered) ?? .unregistered
    }

    /// Applies the API's answer. `random`: uniform in 0..<1, for the backoff after a refusal.
    mutating func accept(_ answer: Answer, at now: Duration, random: () -> Double) {
        switch answer {
        case .token(let token):
            state = .registered(token)
            generation += 1
            backoff.reset()
        case .notOffered(let reason):
            fail(
                Obstacle(cause: .unsupported, reason: reason, askedAt: now, due: now + Self.missingTokenRetry)
            )
        case .refused(let reason, let floor):
            let wait = backoff.next(random: random(), floor: floor)
            fail(Obstacle(cause: .refused, reason: reason, askedAt: now, due: now + wait))
        }
    }

    private mutating func fail(_ obstacle: Obstacle) {
        state = token.map { .unverified($0, obstacle) } ?? .withoutToken(obstacle)
    }

    /// Handles the refusal of a request without a token: an API without registration may have introduced it.
    mutating func retryMissingToken(at now: Duration) {
        guard case .withoutToken(let obstacle) = state, obstacle.cause == .unsupported,
            now - obstacle.askedAt >= Self.minWait
        else { return }
        state = .unregistered
    }

    /// Handles a refused request of that generation after the API was asked for another token. `hadToken`:
    /// the request had a token. `isFromAPI`: the refusal came from the API, not from an intermediary.
    mutating func recover(
        from generation: Int, hadToken: Bool, isFromAPI: Bool, at now: Duration
    ) -> Recovery {
        guard generation == self.generation, let obstacle else {
            return token == nil ? .giveUp : .repeatRequest
        }
        guard obstacle.cause == .unsupported else {
            return .wait(max(.zero, obstacle.due - now), obstacle.reason)
        }
        // The API no longer issues tokens: it may accept requests without the one that it refuses.
        guard hadToken, isFromAPI else { return .giveUp }
        state = .withoutToken(obstacle)
        self.generation += 1
        return .repeatRequest
    }
}
