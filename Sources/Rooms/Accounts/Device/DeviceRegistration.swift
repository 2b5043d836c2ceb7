import CutieAPI
import Inbox

/// How a device stands with the registration at its API. Times are of `uptime`.
package struct DeviceRegistration {
    enum State: Equatable {
        /// An earlier run may have left a token.
        case unknown
        case unregistered
        case registered(DeviceToken)
        /// The token was refused and no other one given. It stays: what refused it may not be the API.
        case doubted(DeviceToken, Obstacle)
        /// Requests go without a token.
        case tokenless(Obstacle)
    }

    /// Why the API gave no token.
    package struct Obstacle: Equatable {
        package enum Cause {
            /// It registers no device at all.
            case lacking
            /// It does not register this one now.
            case refused
        }

        package let cause: Cause
        package let reason: String
        let askedAt: Duration
        /// When it may be asked again.
        let due: Duration
    }

    /// What the API makes of a device that wants to register.
    enum Answer {
        case token(DeviceToken)
        /// It registers none.
        case notOffered(String)
        /// It does not register this one now. `floor`: its Retry-After.
        case refused(String, floor: Duration?)
    }

    /// What to do after a 401.
    enum Recovery: Equatable {
        case repeatRequest
        case giveUp
        /// The API does not register the device now.
        case wait(Duration, String)
    }

    /// A service that registers nobody may do so one day.
    private static let lackingWait: Duration = .seconds(86_400)
    /// Where it refuses who has no token, it is asked again, but not with each request.
    static let shortestWait: Duration = .seconds(60)

    private(set) var state = State.unknown
    /// Grows with each change of the token.
    private(set) var generation = 0
    private var backoff = Backoff()

    var token: DeviceToken? {
        switch state {
        case .registered(let token), .doubted(let token, _): token
        case .unknown, .unregistered, .tokenless: nil
        }
    }

    var obstacle: Obstacle? {
        switch state {
        case .doubted(_, let obstacle), .tokenless(let obstacle): obstacle
        case .unknown, .unregistered, .registered: nil
        }
    }

    /// When a device without a token asks for one; nil: it has one.
    var due: Duration? {
        switch state {
        case .unknown, .unregistered: .zero
        case .tokenless(let obstacle): obstacle.due
        case .registered, .doubted: nil
        }
    }

    func isDue(at now: Duration) -> Bool { due.map { $0 <= now } ?? false }

    /// What an earlier run left.
    mutating func find(_ token: DeviceToken?) {
        guard state == .unknown else { return }
        state = token.map(State.registered) ?? .unregistered
    }

    /// The API has answered. `random`: uniform in 0..<1, for the wait after a refusal.
    mutating func accept(_ answer: Answer, at now: Duration, random: () -> Double) {
        switch answer {
        case .token(let token):
            state = .registered(token)
            generation += 1
            backoff.reset()
        case .notOffered(let reason):
            fail(
                Obstacle(cause: .lacking, reason: reason, askedAt: now, due: now + Self.lackingWait))
        case .refused(let reason, let floor):
            let wait = backoff.next(random: random(), floor: floor)
            fail(Obstacle(cause: .refused, reason: reason, askedAt: now, due: now + wait))
        }
    }

    private mutating func fail(_ obstacle: Obstacle) {
        state = token.map { .doubted($0, obstacle) } ?? .tokenless(obstacle)
    }

    /// A request without a token was refused: an API that registers nobody may do so after all.
    mutating func doubtLack(at now: Duration) {
        guard case .tokenless(let obstacle) = state, obstacle.cause == .lacking,
            now - obstacle.askedAt >= Self.shortestWait
        else { return }
        state = .unregistered
    }

    /// After a request of that generation was refused, and the API asked for another token. `hadToken`: it
    /// carried one. `isOfTheAPI`: the API refused it, and nobody on the way.
    mutating func recover(
        from generation: Int, hadToken: Bool, isOfTheAPI: Bool, at now: Duration
    ) -> Recovery {
        guard generation == self.generation, let obstacle else {
            return token == nil ? .giveUp : .repeatRequest
        }
        guard obstacle.cause == .lacking else {
            return .wait(max(.zero, obstacle.due - now), obstacle.reason)
        }
        // It knows no tokens any more: without the one that it refuses it may let us.
        guard hadToken, isOfTheAPI else { return .giveUp }
        state = .tokenless(obstacle)
        self.generation += 1
        return .repeatRequest
    }
}
