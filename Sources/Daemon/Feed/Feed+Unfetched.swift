import Config
import Inbox
import Logging

extension Feed {
    /// Follows events until `body` ends, and asks again meanwhile for what could not be fetched: no event may
    /// ever tell of it.
    func fetchingTheRest(_ body: @escaping @MainActor () async throws -> Ending) async throws -> Ending {
        try await race(body) { try await self.fetchTheRest() } ?? .restart
    }

    /// Sleeps while nothing is missing.
    private func fetchTheRest() async throws {
        var backoff = Backoff()
        var floor = account.configuration.pollInterval
        while true {
            let seen = unfetched.value
            if sync.failures.isEmpty {
                backoff.reset()
                try await unfetched.passed(seen)
            }
            try await surroundings.sleep(backoff.next(random: surroundings.random(), floor: floor))
            floor = account.configuration.pollInterval
            do { try await lookAgain() } catch APIFailure.retry(let reason, let wish, _) {
                // The events come all the same.
                logger.info("what is missing comes later", metadata: ["reason": "\(reason)"])
                floor = max(floor, wish ?? .zero)
            }
        }
    }

    /// What is fetched may be from before an event that is taken at the same time: the marks of a second look
    /// tell.
    private func lookAgain() async throws {
        let head = ingest.head.value
        try await takeState()
        if ingest.head.value != head { try await takeState() }
    }
}
