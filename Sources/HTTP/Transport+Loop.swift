import CCurl
import Threads

/// What the network thread calls, between two sleeps.
extension Transport {
    /// How long the thread may sleep; nil where nothing is due.
    func timeUntilDue() -> Duration? {
        let dues = pools.values.lazy.compactMap(\.due) + transfers.values.lazy.compactMap(\.due)
        return dues.min().map { max(.zero, $0 - .now) }
    }

    /// Lets libcurl work on the sockets that are ready and on what is due.
    func react(toReady count: Int) {
        for index in 0..<count {
            guard let ready = network.poller.ready(at: index) else { continue }
            guard let pool = pools[ready.tag] else { continue }
            pool.handle(ready)
            deliver(pool)
        }
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
