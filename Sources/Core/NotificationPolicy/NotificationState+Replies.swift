/// Handles the queue of replies: their order, and the reasons to postpone them.
extension NotificationState {
    /// Returns the queue, sorted in the order in which its replies are shown.
    public func arranged(_ queue: ReplyQueue) -> ReplyQueue {
        var queue = queue
        // A released reply updates the notification of its conversation if that is still on the screen.
        queue.news += queue.digest.filter { isOwn($0.owner) }
        queue.digest.removeAll { isOwn($0.owner) }
        // If the summary would contain only one conversation, show its own notification instead.
        if queue.digest.count == 1, notifications[.summary] == nil,
            hasRoom(for: queue.digest[0].owner, most: queue.maxPopups)
        {
            queue.news.append(queue.digest.removeFirst())
        }
        // Replies that were rejected before come last, so that they do not block other replies.
        queue.news.sort { pacing.refusalCount(of: $0.messages) < pacing.refusalCount(of: $1.messages) }
        return queue
    }

    /// Returns the owners that will get their own notification if all calls succeed.
    public func ownersWithRoom(in queue: ReplyQueue) -> [NotificationOwner] {
        queue.news.map(\.owner).filter { hasRoom(for: $0, most: queue.maxPopups) }
    }

    mutating func advance(_ now: Duration) -> [Action] {
        guard var rest = queue else { return [] }
        var actions: [Action] = []
        while !rest.news.isEmpty {
            guard server != nil else {
                queue = nil
                return actions + [.postpone(rest.news.map(\.owner), .noServer)]
            }
            let item = rest.news.removeFirst()
            guard hasRoom(for: item.owner, most: rest.maxPopups) else {
                actions.append(.postpone([item.owner], .tooMany(rest.maxPopups)))
                rest.digest.append(item)
                continue
            }
            if let time = pacing.reserve(now: now) {
                actions.append(.wake(at: time))
                continue
            }
            (queue, current) = (rest, item)
            return actions + makeRoom() + [.show(item.owner)]
        }
        return actions + summarize(rest, now)
    }

    /// Shows the summary after the other replies. If the summary was updated too recently, its replies stay
    /// held.
    private mutating func summarize(_ rest: ReplyQueue, _ now: Duration) -> [Action] {
        queue = nil
        guard server != nil else { return [] }
        var actions: [Action] = []
        if !rest.digest.isEmpty {
            let time = notifications[.summary] == nil ? nil : pacing.summaryTime(now: now)
            guard let time else {
                current = ReplyQueue.Item(.summary, rest.digest.flatMap(\.messages))
                queue = ReplyQueue(news: [], maxPopups: rest.maxPopups, isPartial: rest.isPartial)
                return makeRoom() + [.summarize(rest.digest.map(\.owner))]
            }
            actions.append(.wake(at: time))
        }
        if rest.isPartial { actions.append(.wake(at: now + NotificationPacing.summaryInterval)) }
        return actions
    }

    mutating func resume(after outcome: ReplyOutcome, _ now: Duration) -> [Action] {
        let (item, messages) = (current, current?.messages ?? [])
        current = nil
        if outcome == .shown {
            pacing.recordShown(messages, now: now)
            if item?.owner == .summary { pacing.recordSummary(now: now) }
        }
        guard outcome == .refused else { return advance(now) }
        let rest = queue?.news.map(\.owner) ?? []
        queue = nil
        // The notifications on the screen are not changed.
        let (lost, nextTry) = pacing.recordRefusal(messages, now: now)
        return [.retry(except: lost)] + (rest.isEmpty ? [] : [.postpone(rest, .serverRefuses)])
            + [.wake(at: nextTry)]
    }

    mutating func notice(_ owner: NotificationOwner, _ now: Duration) -> [Action] {
        guard server != nil else { return next(.waiting, now: now) }
        return [pacing.reserve(now: now).map { .wake(at: $0) } ?? .show(owner)]
    }

    /// Closes questions from the daemon itself before a reply is shown, because some servers show only one
    /// notification at a time.
    private func makeRoom() -> [Action] {
        let modest = notifications.filter(\.value.isTextHidden).sorted { $0.value.id < $1.value.id }
        return modest.map { .close($0.key, .roomNeeded) }
    }
}
