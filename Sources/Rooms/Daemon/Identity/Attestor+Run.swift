import CutieAPI
import Identity
import Inbox
import Store

extension Attestor {
    private static let patience = 6

    /// Attests each time the API is reached, where that is still to be done, until it is cancelled. What
    /// fails is tried a few times more, then again at the next connection.
    func run(by client: APIClient, _ surroundings: Surroundings) async throws {
        while true {
            try await connections.passed(0)
            let seen = connections.value
            var backoff = Backoff()
            for _ in 1...Self.patience {
                guard try await mayHeal(by: client) else { break }
                let wait = backoff.next(random: surroundings.random())
                try await surroundings.wait(for: connections, past: seen, atMost: wait)
            }
            try await connections.passed(seen)
        }
    }

    /// Tries once; false where it worked, or another try would bring the same.
    private func mayHeal(by client: APIClient) async throws -> Bool {
        do {
            try await settle(by: client)
            return false
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            note(failure.sentence)
            return !failure.isFinal
        } catch let failure as SecretFailure {
            if failure.code == .cancelled { throw CancellationError() }
            note("\(failure)")
            return failure.code == .unavailable
        } catch let failure as SigningFailure {
            note("\(failure)")
            return false
        }
    }
}
