import CCurl
import Threads

/// What the event loop calls, between two sleeps.
extension Transport {
    /// How long the loop may sleep; nil where nothing is due.
    func timeUntilDue() -> Duration? {
        let dues = pools.values.lazy.compactMap(\.due) + transfers.values.lazy.compactMap(\.due)
        return dues.min().map { max(.zero, $0 - .now) }
    }

    /// Lets libcurl work on a socket that is ready.
    func handle(_ ready: Poller.Ready) {
        guard let pool = pools.values.first(where: { $0.owns(ready.descriptor) }) else { return }
        pool.handle(ready)
        deliver(pool)
    }

    func handleDue() {
        let now = SuspendingClock.now
        for pool in pools.values where pool.due.map({ $0 <= now }) == true {
            pool.handleTimer()
            deliver(pool)
        }
        for transfer in transfers.values where transfer.due.map({ $0 <= now }) == true {
            finish(transfer.key, .failure(transfer.timeout))
        }
    }

    /// Passes on what libcurl brought: bytes first, then the ends.
    func deliver(_ pool: Pool) {
        let touched = pool.touched
        pool.touched.removeAll(keepingCapacity: true)
        for transfer in touched { transfer.deliver() }
        while let (key, code) = pool.nextDone() {
            guard let transfer = transfers[key] else { continue }
            finish(key, transfer.failure(code).map { .failure($0) } ?? .success(()))
        }
    }
}
