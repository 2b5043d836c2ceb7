/// The replies of a batch: their order, and the reasons to hold them again.
extension NotificationState {
    /// Returns `batch` in the order in which its replies are shown.
    public func groupedForDisplay(_ batch: ReplyBatch) -> ReplyBatch {
        var batch = batch
        // If the notification of a conversation is still on the screen, add the conversation's released
        // replies to it.
        batch.news += batch.digest.filter { isFromThisRun($0.owner) }
        batch.digest.removeAll { isFromThisRun($0.owner) }
        // If the digest would contain only one conversation, show the conversation's own notification
        // instead.
        if batch.digest.count == 1, notifications[.summary] == nil,
            hasRoom(for: batch.digest[0].owner, limit: batch.maxPopups)
        {
            batch.news.append(batch.digest.removeFirst())
        }
        // Show previously rejected replies last, because another rejection stops the batch.
        batch.news.sort { pacing.refusalCount(of: $0.messages) < pacing.refusalCount(of: $1.messages) }
        return batch
    }

    /// Returns the owners that get separate notifications if all calls succeed.
    public func ownersWithRoom(in batch: ReplyBatch) -> [NotificationOwner] {
        batch.news.map(\.owner).filter { hasRoom(for: $0, limit: batch.maxPopups) }
    }

    mutating func showNextReply(_ now: Duration) -> [Action] {
        guard var rest = batch else { return [] }
        var actions: [Action] = []
        while !rest.news.isEmpty {
            guard hasServer else {
                batch = nil
                return actions + [.postpone(rest.news.map(\.owner), .noServer)]
            }
            let item = rest.news.removeFirst()
            guard hasRoom(for: item.owner, limit: rest.maxPopups) else {
                actions.append(.postpone([item.owner], .tooMany(rest.maxPopups)))
                rest.digest.append(item)
                continue
            }
            if let time = pacing.consumeDisplayToken(now: now) {
                actions.append(.wake(at: time))
                continue
            }
            (batch, current) = (rest, item)
            actions += closeYieldingNotifications()
            actions.append(.show(item.owner))
            return actions
        }
        return actions + showSummary(of: rest, at: now)
    }

    /// Shows the summary after all other replies. If the last summary was shown less than a second ago, the
    /// replies are held until that second has passed.
    private mutating func showSummary(of replies: ReplyBatch, at now: Duration) -> [Action] {
        batch = nil
        guard hasServer else { return [] }
        var actions: [Action] = []
        if !replies.digest.isEmpty {
            let time = notifications[.summary] == nil ? nil : pacing.nextSummaryTime(now: now)
            guard let time else {
                current = ReplyBatch.Item(owner: .summary, messages: replies.digest.flatMap(\.messages))
                batch = ReplyBatch(news: [], maxPopups: replies.maxPopups, isPartial: replies.isPartial)
                return closeYieldingNotifications() + [.summarize(replies.digest.map(\.owner))]
            }
            actions.append(.wake(at: time))
        }
        if replies.isPartial { actions.append(.wake(at: now + NotificationPacing.summaryInterval)) }
        return actions
    }

    mutating func continueReplies(after outcome: ReplyOutcome, at now: Duration) -> [Action] {
        let (item, messages) = (current, current?.messages ?? [])
        current = nil
        if outcome == .shown {
            pacing.recordShown(messages, now: now)
            if item?.owner == .summary { pacing.recordSummaryShown(now: now) }
        }
        guard outcome == .refused else { return showNextReply(now) }
        let rest = batch?.news.map(\.owner) ?? []
        batch = nil
        // Postpone the remaining replies, but keep the notifications that are on the screen.
        let (lost, nextTry) = pacing.recordRefusal(messages, now: now)
        return [.retry(except: lost)] + (rest.isEmpty ? [] : [.postpone(rest, .serverRefuses)])
            + [.wake(at: nextTry)]
    }

    mutating func showNotice(_ owner: NotificationOwner, at now: Duration) -> [Action] {
        guard hasServer else { return next(.waiting, now: now) }
        return [pacing.consumeDisplayToken(now: now).map { .wake(at: $0) } ?? .show(owner)]
    }

    /// Closes questions from the daemon before a reply is shown, because some servers show only one
    /// notification at a time.
    private func closeYieldingNotifications() -> [Action] {
        guard notifications.contains(where: \.value.yieldsToReplies) else { return [] }
        let modest = notifications.filter(\.value.yieldsToReplies).sorted { $0.value.id < $1.value.id }
        return modest.map { .close($0.key, .roomNeeded) }
    }
}
