/// The queue of replies: who comes next, and what becomes of the others.
extension ScreenState {
    /// The order in which they are shown.
    public func arranged(_ queue: ReplyQueue) -> ReplyQueue {
        var queue = queue
        // What was held of a conversation whose pop-up is still there goes into that one.
        queue.news += queue.digest.filter { isOwn($0.owner) }
        queue.digest.removeAll { isOwn($0.owner) }
        // A digest of one conversation says more as that conversation's pop-up.
        if queue.digest.count == 1, popups[.summary] == nil,
            hasRoom(for: queue.digest[0].owner, most: queue.mostPopups)
        {
            queue.news.append(queue.digest.removeFirst())
        }
        // What is refused for its words is not in the way of the others.
        queue.news.sort { pacing.refusalCount(of: $0.messages) < pacing.refusalCount(of: $1.messages) }
        return queue
    }

    /// Those that get a pop-up of their own, where all goes well.
    public func haveRoom(in queue: ReplyQueue) -> [PopupOwner] {
        queue.news.map(\.owner).filter { hasRoom(for: $0, most: queue.mostPopups) }
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
            guard hasRoom(for: item.owner, most: rest.mostPopups) else {
                actions.append(.postpone([item.owner], .tooMany(rest.mostPopups)))
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
        return actions + summarise(rest, now)
    }

    /// The summary is the last. What is held for its pace stays held until its time.
    private mutating func summarise(_ rest: ReplyQueue, _ now: Duration) -> [Action] {
        queue = nil
        guard server != nil else { return [] }
        var actions: [Action] = []
        if !rest.digest.isEmpty {
            let time = popups[.summary] == nil ? nil : pacing.summaryTime(now: now)
            guard let time else {
                current = ReplyQueue.Item(.summary, rest.digest.flatMap(\.messages))
                queue = ReplyQueue(news: [], mostPopups: rest.mostPopups, isPiece: rest.isPiece)
                return makeRoom() + [.summarise(rest.digest.map(\.owner))]
            }
            actions.append(.wake(at: time))
        }
        if rest.isPiece { actions.append(.wake(at: now + Pacing.summaryInterval)) }
        return actions
    }

    mutating func resume(after outcome: ReplyOutcome, _ now: Duration) -> [Action] {
        let (item, messages) = (current, current?.messages ?? [])
        current = nil
        if outcome == .shown {
            pacing.noteShown(messages, now: now)
            if item?.owner == .summary { pacing.noteSummary(now: now) }
        }
        guard outcome == .refused else { return advance(now) }
        let rest = queue?.news.map(\.owner) ?? []
        queue = nil
        // What is on the screen stays.
        let (lost, nextTry) = pacing.noteRefused(messages, now: now)
        return [.retry(except: lost)] + (rest.isEmpty ? [] : [.postpone(rest, .serverRefuses)])
            + [.wake(at: nextTry)]
    }

    mutating func notice(_ owner: PopupOwner, _ now: Duration) -> [Action] {
        guard server != nil else { return next(.waiting, now: now) }
        return [pacing.reserve(now: now).map { .wake(at: $0) } ?? .show(owner)]
    }

    /// What is asked by the way makes room before a reply is shown: some servers show one at a time.
    private func makeRoom() -> [Action] {
        let modest = popups.filter(\.value.isModest).sorted { $0.value.id < $1.value.id }
        return modest.map { .close($0.key, .makesRoom) }
    }
}
