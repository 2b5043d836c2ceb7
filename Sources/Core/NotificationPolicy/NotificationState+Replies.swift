/// The replies of a batch: the order in which they are shown, and the reasons to postpone them.
extension NotificationState {
    /// Returns `batch` in the order in which its replies are shown.
    public func groupedForDisplay(_ batch: ReplyBatch) -> ReplyBatch {
        var batch = batch
        // Released replies are added to the notification of their conversation if it is still on the screen.
        batch.news += batch.digest.filter { isOwn($0.owner) }
        batch.digest.removeAll { isOwn($0.owner) }
        // For a single conversation, its own notification is more useful than a digest.
        if batch.digest.count == 1, notifications[.summary] == nil,
            hasRoom(for: batch.digest[0].owner, limit: batch.maxPopups)
        {
            batch.news.append(batch.digest.removeFirst())
        }
        // Previously rejected replies come last, so that they do not block the other replies.
        batch.news.sort { pacing.refusalCount(of: $0.messages) < pacing.refusalCount(of: $1.messages) }
        return batch
    }

    /// Returns the owners that will have their own notification if no call fails.
    public func ownersWithRoom(in batch: ReplyBatch) -> [NotificationOwner] {
        batch.news.map(\.owner).filter { hasRoom(for: $0, limit: batch.maxPopups) }
    }

    mutating func advance(_ now: Duration) -> [Action] {
        guard var rest = batch else { return [] }
        var actions: [Action] = []
        while !rest.news.isEmpty {
            guard server != nil else {
                batch = nil
                return actions + [.postpone(rest.news.map(\.owner), .noServer)]
            }
            let item = rest.news.removeFirst()
            guard hasRoom(for: item.owner, limit: rest.maxPopups) else {
                actions.append(.postpone([item.owner], .tooMany(rest.maxPopups)))
                rest.digest.append(item)
                continue
            }
            if let time = pacing.reserveDisplayTime(now: now) {
                actions.append(.wake(at: time))
                continue
            }
            (batch, current) = (rest, item)
            return actions + removalToMakeRoom() + [.show(item.owner)]
        }
        return actions + summarize(rest, now)
    }

    /// Shows the summary after the other replies. If the summary was updated too recently, its replies stay
    /// held.
    private mutating func summarize(_ rest: ReplyBatch, _ now: Duration) -> [Action] {
        batch = nil
        guard server != nil else { return [] }
        var actions: [Action] = []
        if !rest.digest.isEmpty {
            let time = notifications[.summary] == nil ? nil : pacing.nextSummaryTime(now: now)
            guard let time else {
                current = ReplyBatch.Item(.summary, rest.digest.flatMap(\.messages))
                batch = ReplyBatch(news: [], maxPopups: rest.maxPopups, isPartial: rest.isPartial)
                return removalToMakeRoom() + [.summarize(rest.digest.map(\.owner))]
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
        let rest = batch?.news.map(\.owner) ?? []
        batch = nil
        // The notifications on the screen remain.
        let (lost, nextTry) = pacing.recordRefusal(messages, now: now)
        return [.retry(except: lost)] + (rest.isEmpty ? [] : [.postpone(rest, .serverRefuses)])
            + [.wake(at: nextTry)]
    }

    mutating func removeNotice(_ owner: NotificationOwner, _ now: Duration) -> [Action] {
        guard server != nil else { return next(.waiting, now: now) }
        return [pacing.reserveDisplayTime(now: now).map { .wake(at: $0) } ?? .show(owner)]
    }

    /// Closes questions from the daemon itself before a reply is shown, because some servers show only one
    /// notification at a time.
    private func removalToMakeRoom() -> [Action] {
        let modest = notifications.filter(\.value.yieldsToReplies).sorted { $0.value.id < $1.value.id }
        return modest.map { .close($0.key, .roomNeeded) }
    }
}
