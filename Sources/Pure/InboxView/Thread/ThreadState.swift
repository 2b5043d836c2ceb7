import ControlAPI

/// The thread that is looked at: what is known of it, and the lines it is shown as.
struct ThreadState: Sendable {
    enum Phase: Hashable, Sendable {
        case none
        /// Nothing of it is here yet.
        case loading
        case messages
        case notFound
        case ambiguous([String])
        /// A sentence.
        case failed(String)
    }

    var phase = Phase.none
    /// What was asked for last.
    private(set) var request: ThreadRequest?
    /// Its answer has not come.
    private(set) var isAsking = false
    /// The person waits for what is earlier.
    private(set) var isLoadingEarlier = false
    /// A link's, to be shown as soon as it is here.
    private(set) var wanted: String?
    private(set) var key: ConversationKey?
    var conversation: ConversationView?
    private(set) var messages = ThreadMessages()
    /// The service or the socket holds older ones back.
    private(set) var isCut = false
    private(set) var newBelow = 0
    var isAtEnd = true
    /// The person wants to answer although it has ended.
    var reopens = false
    /// For whom the person writes, where they answer as support.
    var mode = WritingMode.reply
    /// What the service calls the person, where they answer as support.
    var me: String?
    /// The newest one that the daemon was told of as read.
    var readUpTo: String?

    private var firstUnread: String?
    private var unreadCount = 0
    /// The person has not looked since the first of them came.
    private var isUnreadOpen = false
    private var highlighted: String?

    private(set) var lines: [ThreadLine] = []
    /// Those of `lines` that are messages and what separates them; own words follow.
    private var historyCount = 0

    /// Of what came since the person looked last.
    private var hasUnread: Bool { firstUnread != nil }

    init() {}

    /// One that is looked at from now on.
    init(_ request: ThreadRequest, wanted: String? = nil) {
        (phase, self.request, self.wanted, isAsking) = (.loading, request, wanted, true)
    }

    /// Asks again for what is here, or for more of it.
    mutating func ask(limit: Int?) -> [Action] {
        guard var request else { return [] }
        request.limit = limit
        (self.request, isAsking) = (request, true)
        return [.call(.thread(request))]
    }

    mutating func reload() -> [Action] { ask(limit: request?.limit) }

    mutating func choose(account: String) -> [Action] {
        request?.account = account
        phase = .loading
        return reload()
    }
}

// MARK: - Answers

extension ThreadState {
    mutating func accept(
        _ reply: GetConversation.Reply, for request: ThreadRequest, own: [OwnWords], _ words: TimeWords
    ) -> [Action] {
        guard isAsking, request == self.request else { return [] }
        defer { isLoadingEarlier = isLoadingEarlier && isAsking }
        isAsking = false
        let isFirst = phase != .messages
        (phase, conversation, key) = (.messages, reply.conversation, reply.conversation.key)
        self.request?.account = reply.conversation.account
        isCut = reply.cut == true
        messages.replace(with: reply.messages, limit: request.limit, isCut: isCut, around: nil)
        if isLoadingEarlier { _ = messages.showEarlier() }
        if isFirst { noteUnread(reply.conversation.unreadCount ?? 0) }
        if let wanted, !messages.contains(wanted), let next = ThreadMessages.limit(after: request.limit),
            !messages.isWhole
        {
            // What is here is shown meanwhile.
            return rewrite(own, words) + ask(limit: next)
        }
        return rewrite(own, words) + lookAtWanted(isFirst, own, words)
    }

    private mutating func lookAtWanted(_ isFirst: Bool, _ own: [OwnWords], _ words: TimeWords) -> [Action] {
        guard let wanted else {
            if !isFirst { return [] }
            return hasUnread && newestIsFar ? [.scroll(toLine: "unread")] : [.scrollToEnd]
        }
        self.wanted = nil
        return show(wanted, own, words) ?? [.scrollToEnd]
    }

    /// More than a window shows is unread; else its end shows all of it.
    private var newestIsFar: Bool { unreadCount > 3 }

    /// Shows a message that is here; nil where it is not.
    mutating func show(_ message: String, _ own: [OwnWords], _ words: TimeWords) -> [Action]? {
        guard messages.show(message) else { return nil }
        highlighted = message
        return rewrite(own, words) + [.scroll(toLine: message)]
    }

    /// False where the answer was not waited for.
    mutating func fail(_ request: ThreadRequest, _ failure: CallFailure) -> Bool {
        guard isAsking, request == self.request else { return false }
        (isAsking, isLoadingEarlier, wanted) = (false, false, nil)
        guard phase != .messages else { return true }
        switch failure {
        case .notFound: phase = .notFound
        case .ambiguous(let fault): phase = .ambiguous(fault.accounts)
        // Asked again once the daemon is there.
        case .gone: phase = .loading
        default: phase = .failed(failure.sentence)
        }
        return true
    }

    private mutating func noteUnread(_ count: Int) {
        (firstUnread, unreadCount) = (messages.first(ofUnread: count)?.messageId, count)
        isUnreadOpen = count > 0
    }
}

// MARK: - What comes and is looked at

extension ThreadState {
    /// `isSeen`: it is before the person's eyes.
    mutating func add(
        _ message: MessageView, isSeen: Bool, own: [OwnWords], _ words: TimeWords
    ) -> [Action] {
        let previous = messages.hasLater ? nil : messages.newestShown
        let followed = !messages.hasLater
        guard messages.add(message) else { return rewriteOwn(own, words) }
        let isLast = followed && messages.newestShown?.messageId == message.messageId
        if !message.isOwn, !isSeen { countUnread(message) }
        guard isLast else {
            if !message.isOwn { newBelow += 1 }
            return rewrite(own, words)
        }
        if !message.isOwn, !isAtEnd { newBelow += 1 }
        // The count in the separator is another, too.
        let isCounted = !message.isOwn && !isSeen
        let actions =
            isCounted ? rewrite(own, words) : append(message, after: previous, words) + rewriteOwn(own, words)
        return actions + (isAtEnd ? [.scrollToEnd] : [])
    }

    private mutating func countUnread(_ message: MessageView) {
        if isUnreadOpen {
            unreadCount += 1
        } else {
            (firstUnread, unreadCount, isUnreadOpen) = (message.messageId, 1, true)
        }
    }

    /// The person looks at its end: what comes later is unread anew.
    mutating func noteSeen() { isUnreadOpen = false }

    mutating func scrolled(isAtEnd: Bool) {
        self.isAtEnd = isAtEnd
        if isAtEnd, !messages.hasLater { newBelow = 0 }
    }

    mutating func showEarlier(_ own: [OwnWords], _ words: TimeWords) -> [Action] {
        guard phase == .messages, !isAsking || messages.shown.lowerBound > 0 else { return [] }
        if messages.showEarlier() { return rewrite(own, words) }
        guard let limit = ThreadMessages.limit(after: request?.limit), !messages.isWhole else { return [] }
        isLoadingEarlier = true
        return ask(limit: limit)
    }

    mutating func showLater(_ own: [OwnWords], _ words: TimeWords) -> [Action] {
        messages.showLater()
        return rewrite(own, words)
    }

    mutating func showEnd(_ own: [OwnWords], _ words: TimeWords) -> [Action] {
        messages.showEnd()
        (isAtEnd, newBelow) = (true, 0)
        return rewrite(own, words) + [.scrollToEnd]
    }

    /// Who answers has seen what is above.
    mutating func noteAnswered() { (firstUnread, unreadCount, isUnreadOpen) = (nil, 0, false) }
}

// MARK: - Lines

extension ThreadState {
    private func writer(_ words: TimeWords) -> LineWriter {
        LineWriter(
            words: words, firstUnread: firstUnread, unreadCount: unreadCount, highlighted: highlighted,
            me: me)
    }

    /// All of them anew; what is the same stays.
    mutating func rewrite(_ own: [OwnWords], _ words: TimeWords) -> [Action] {
        guard phase == .messages else { return clear() }
        let writer = writer(words)
        let history = writer.lines(of: messages.shownMessages)
        historyCount = history.count
        let new = history + (messages.hasLater ? [] : writer.lines(of: own))
        guard let splice = Splice(from: lines, to: new) else { return [] }
        lines = new
        return [.lines(splice)]
    }

    mutating func clear() -> [Action] {
        guard let splice = Splice(from: lines, to: []) else { return [] }
        (lines, historyCount) = ([], 0)
        return [.lines(splice)]
    }

    /// However many are above.
    private mutating func append(
        _ message: MessageView, after previous: MessageView?, _ words: TimeWords
    ) -> [Action] {
        let new = writer(words).lines(of: [message], after: previous)
        lines.insert(contentsOf: new, at: historyCount)
        defer { historyCount += new.count }
        return [.lines(Splice(at: historyCount, removed: 0, added: new))]
    }

    mutating func rewriteOwn(_ own: [OwnWords], _ words: TimeWords) -> [Action] {
        guard phase == .messages else { return [] }
        let new = messages.hasLater ? [] : writer(words).lines(of: own)
        guard var splice = Splice(from: lines[historyCount...], to: new) else { return [] }
        splice.at += historyCount
        lines.replaceSubrange(historyCount..., with: new)
        return [.lines(splice)]
    }
}
