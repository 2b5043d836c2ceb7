import CutieAPI
import Inbox
import Logging
import Store

/// What becomes of an item that could not be sent.
extension Outbox {
    func keep(_ item: OutboxRecord, after failure: APIFailure) throws {
        var item = item
        item.error = failure.sentence
        item.attempts += 1
        switch failure {
        case .retry(_, let floor, let ambiguous):
            item.state = .waiting
            item.isAmbiguous = item.isAmbiguous || ambiguous
            let wait = wait(after: item.attempts, floor: floor)
            item.nextAttemptAt = surroundings.now() + wait
            // The server asked for it: a connection that is back is no reason to come sooner.
            if floor != nil { holds[item.id] = surroundings.uptime + wait }
        case .unauthorized:
            item.state = .waiting
            item.nextAttemptAt = surroundings.now() + refuse(item)
            end(item.id, .failed(failure))
        default:
            try giveUp(item, because: failure)
            return
        }
        try ingest.store.write { _ = try $0.update(item) }
    }

    /// The person's words are kept for `retry`; a mark-read is not worth a row, as the next poll brings the
    /// server's count back.
    private func giveUp(_ item: OutboxRecord, because failure: APIFailure) throws {
        var item = item
        item.state = .failed
        item.isTold = isAwaited(item.id)
        try ingest.store.write { transaction in
            if item.readBound != nil {
                try transaction.deleteOutbox(item.id)
            } else {
                try transaction.update(item)
            }
        }
        logger.error(
            "cannot be sent", metadata: ["outbox": "\(item.id)", "reason": "\(failure.sentence)"])
        end(item.id, .failed(failure))
        onFailures()
    }

    /// Returns how long the item waits. The others rest for half of that, so that they go before it: it may be
    /// the only one that is refused. Where all are, the feed connects anew less and less often.
    private func refuse(_ item: OutboxRecord) -> Duration {
        refusals += 1
        let wait = wait(after: max(refusals, item.attempts))
        let now = surroundings.uptime
        (holds[item.id], rest) = (now + wait, now + wait / 2)
        isRefused = true
        onRefused()
        return wait
    }

    private func wait(after failures: Int, floor: Duration? = nil) -> Duration {
        var backoff = Backoff(failures: failures - 1)
        return backoff.next(random: surroundings.random(), floor: floor)
    }
}
