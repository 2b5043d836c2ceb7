import ControlAPI
import TextSearch

/// The open thread: its messages and its lines.
struct ThreadState: Sendable {
    enum Phase: Hashable, Sendable {
        case none
        /// No messages are loaded yet.
        case loading
        case messages
        case notFound
        case ambiguous([String])
        /// Loading failed. The value is the error message.
        case failed(String)
    }

    var phase = Phase.none
    /// The latest request for messages, in flight or completed.
    private(set) var request: ThreadRequest?
    /// Whether `request` is in flight.
    private(set) var isRequestInFlight = false
    /// Whether the user has requested older messages and the request is in flight.
    private(set) var isLoadingEarlier = false
    /// The message to scroll to after it is loaded, for example from a link; `nil` if there is none.
    private(set) var requestedMessage: String?
    private(set) var key: ConversationKey?
    var conversation: ConversationView?
    private(set) var messages = ThreadMessages()
    /// Whether older messages are missing because the service or the daemon limited the size of the response.
    private(set) var isTruncated = false
    private(set) var newMessagesBelow = 0
    var isAtEnd = true
    /// Whether the user chose to reopen an ended conversation, so that the composer is shown.
    var reopens = false
    /// The audience of the text in the composer. The value is always `reply` for users who are not support
    /// staff.
    var mode = WritingMode.reply
    /// The user's admin ID if the user is support staff; otherwise `nil`.
    var ownAdminID: String?
    /// The search whose matches are highlighted; `nil` if nothing is highlighted.
    var query: SearchQuery?
    /// The newest message that the window has marked as read at the daemon; `nil` if there is none.
    private(set) var readUpTo: String?
    /// Whether the last call that marks the thread as read failed.
    private var hasMarkReadFailed = false
    /// Whether the conversation was updated while its messages were being requested, so that the reply may be
    /// outdated.
    private var wasUpdatedDuringRequest = false
    /// The latest reply of a colleague that arrived after the thread was opened; `nil` if there is none, or
    /// after the user has replied.
    var colleagueReply: (sender: String, time: Int64)?
    /// Whether the user marked the open conversation as unread, so that the window does not mark it as read.
    var isMarkedUnread = false

    private var firstUnread: String?
    private var unreadCount = 0
    /// Whether the next unread message increases the count in the existing separator. If not, a new separator
    /// is inserted above the message.
    private var isUnreadGroupOpen = false
    private var highlighted: String?

    private(set) var lines: [ThreadLine] = []
    /// The number of `lines` that show received messages and separators. The remaining lines show unsent
    /// messages.
    private var historyCount = 0

    private var hasUnread: Bool { firstUnread != nil }

    init() {}

    /// Creates the state of a newly opened thread.
    init(_ request: ThreadRequest, requestedMessage: String? = nil) {
        (phase, self.request, self.requestedMessage, isRequestInFlight) = (
            .loading, request, requestedMessage, true
        )
    }

    /// Loads the messages again, possibly with a larger limit.
    mutating func reload(limit: Int?) -> [Action] {
        guard var request else { return [] }
        request.limit = limit
        (self.request, isRequestInFlight, wasUpdatedDuringRequest) = (request, true, false)
        return [.call(.thread(request))]
    }

    mutating func reload() -> [Action] { reload(limit: request?.limit) }

    /// Records an update of a conversation. If the messages of this conversation are being requested, they
    /// are requested again after the reply, which may be outdated.
    mutating func recordUpdate(of updated: ConversationKey) {
        guard isRequestInFlight, let request, request.conversation == updated.conversation,
            request.account == nil || request.account == updated.account
        else { return }
        wasUpdatedDuringRequest = true
    }

    /// Loads the thread again if an earlier request did not find the conversation `key`. Called when the
    /// daemon has stored the conversation.
    mutating func reloadIfPreviouslyNotFound(_ key: ConversationKey) -> [Action] {
        guard phase == .notFound, let request, request.conversation == key.conversation,
            request.account == nil || request.account == key.account
        else { return [] }
        phase = .loading
        return reload()
    }

    mutating func selectAccount(_ account: String) -> [Action] {
        request?.account = account
        phase = .loading
        return reload()
    }
}

// MARK: - Results from the daemon

extension ThreadState {
    mutating func handleReply(
        _ reply: GetConversation.Reply, for request: ThreadRequest, outgoing: [OutgoingItem],
        formatter: TimeFormatter
    ) -> [Action] {
        guard isRequestInFlight, request == self.request else { return [] }
        let isOutdated = wasUpdatedDuringRequest
        let actions = applyReply(reply, for: request, outgoing: outgoing, formatter: formatter)
        return actions + (isOutdated && !isRequestInFlight ? reload() : [])
    }

    private mutating func applyReply(
        _ reply: GetConversation.Reply, for request: ThreadRequest, outgoing: [OutgoingItem],
        formatter: TimeFormatter
    ) -> [Action] {
        defer { isLoadingEarlier = isLoadingEarlier && isRequestInFlight }
        isRequestInFlight = false
        let isFirst = phase != .messages
        (phase, conversation, key) = (.messages, reply.conversation, reply.conversation.key)
        self.request?.account = reply.conversation.account
        isTruncated = reply.cut == true
        messages.replace(
            with: reply.messages, limit: request.limit, isTruncated: isTruncated, revealingMessageID: nil)
        if isLoadingEarlier { _ = messages.showEarlierMessages() }
        if isFirst { setUnreadCount(reply.conversation.unreadCount ?? 0) }
        if let requestedMessage, !messages.contains(requestedMessage),
            let next = ThreadMessages.nextLimit(after: request.limit),
            !messages.isComplete
        {
            // Show the loaded messages while a request with a higher limit searches for the requested
            // message.
            return rewriteLines(outgoing: outgoing, formatter: formatter) + reload(limit: next)
        }
        return rewriteLines(outgoing: outgoing, formatter: formatter)
            + showRequestedMessage(isFirstReply: isFirst, outgoing: outgoing, formatter: formatter)
    }

    private mutating func showRequestedMessage(
        isFirstReply: Bool, outgoing: [OutgoingItem], formatter: TimeFormatter
    ) -> [Action] {
        guard let requestedMessage else {
            if !isFirstReply { return [] }
            return hasUnread && isNewestFarBelow ? [.scroll(toLine: "unread")] : [.scrollToEnd]
        }
        self.requestedMessage = nil
        return scrollToMessage(withID: requestedMessage, outgoing: outgoing, formatter: formatter) ?? [
            .scrollToEnd
        ]
    }

    /// Whether there are so many unread messages that they may not all fit in the window.
    private var isNewestFarBelow: Bool { unreadCount > 3 }

    /// Scrolls to a message. Returns `nil` if the message is not loaded.
    mutating func scrollToMessage(withID message: String, outgoing: [OutgoingItem], formatter: TimeFormatter)
        -> [Action]?
    {
        guard messages.makeMessageVisible(withID: message) else { return nil }
        highlighted = message
        return rewriteLines(outgoing: outgoing, formatter: formatter) + [.scroll(toLine: message)]
    }

    /// Applies the failure of `request`. Returns `false` if `request` is not the latest request.
    mutating func handleFailure(of request: ThreadRequest, failure: CallFailure) -> Bool {
        guard isRequestInFlight, request == self.request else { return false }
        (isRequestInFlight, isLoadingEarlier, requestedMessage) = (false, false, nil)
        guard phase != .messages else { return true }
        switch failure {
        case .notFound: phase = .notFound
        case .ambiguous(let fault): phase = .ambiguous(fault.accounts)
        // The window repeats the request after reconnecting to the daemon.
        case .unreachable: phase = .loading
        default: phase = .failed(failure.sentence)
        }
        return true
    }

    private mutating func setUnreadCount(_ count: Int) {
        (firstUnread, unreadCount) = (
            messages.firstUnreadMessage(unreadCount: count, ownAdminID: ownAdminID)?.messageId, count
        )
        isUnreadGroupOpen = count > 0
    }
}

// MARK: - Reading

extension ThreadState {
    /// Records that the daemon is being asked to mark the thread as read up to `message`.
    mutating func beginMarkingRead(upToMessageID message: String) {
        (readUpTo, hasMarkReadFailed) = (message, false)
    }

    /// Clears the read mark, so that the window sends it again.
    mutating func forgetReadMark() { (readUpTo, hasMarkReadFailed) = (nil, false) }

    mutating func handleMarkReadFailure(upToMessageID message: String) {
        if message == readUpTo { hasMarkReadFailed = true }
    }

    /// Makes the window mark the thread as read again if the last attempt failed.
    mutating func retryMarkingRead() { if hasMarkReadFailed { forgetReadMark() } }
}

// MARK: - New messages

extension ThreadState {
    /// Inserts a new message.
    ///
    /// - Parameter isSeen: whether the end of the thread is visible to the user.
    mutating func add(
        _ message: MessageView, isSeen: Bool, outgoing: [OutgoingItem], formatter: TimeFormatter
    ) -> [Action] {
        let previous = messages.hasLater ? nil : messages.newestShown
        let followed = !messages.hasLater
        guard messages.add(message) else {
            return rewriteOutgoingLines(outgoing: outgoing, formatter: formatter)
        }
        isMarkedUnread = false
        let isReply = !message.isFromOwnSide(ownAdminID: ownAdminID)
        if message.isFromColleague(ownAdminID: ownAdminID), !message.isNote {
            colleagueReply = (message.senderName(ownAdminID: ownAdminID), message.createdAt)
        }
        let isLast = followed && messages.newestShown?.messageId == message.messageId
        if isReply, !isSeen { countAsUnread(message) }
        guard isLast else {
            if isReply { newMessagesBelow += 1 }
            return rewriteLines(outgoing: outgoing, formatter: formatter)
        }
        if isReply, !isAtEnd { newMessagesBelow += 1 }
        // Update the separator too, because it contains the number of unread messages.
        let isCounted = isReply && !isSeen
        let actions =
            isCounted
            ? rewriteLines(outgoing: outgoing, formatter: formatter)
            : appendLines(of: message, after: previous, formatter: formatter)
                + rewriteOutgoingLines(outgoing: outgoing, formatter: formatter)
        return actions + (isAtEnd ? [.scrollToEnd] : [])
    }

    private mutating func countAsUnread(_ message: MessageView) {
        if isUnreadGroupOpen {
            unreadCount += 1
        } else {
            (firstUnread, unreadCount, isUnreadGroupOpen) = (message.messageId, 1, true)
        }
    }

    /// Records that the user saw the end of the thread. The next unread message then gets a new separator and
    /// a new count.
    mutating func closeUnreadGroup() { isUnreadGroupOpen = false }

    mutating func handleScroll(isAtEnd: Bool) {
        self.isAtEnd = isAtEnd
        if isAtEnd, !messages.hasLater { newMessagesBelow = 0 }
    }

    mutating func showEarlierMessages(outgoing: [OutgoingItem], formatter: TimeFormatter) -> [Action] {
        guard phase == .messages, !isRequestInFlight || messages.shown.lowerBound > 0 else { return [] }
        if messages.showEarlierMessages() { return rewriteLines(outgoing: outgoing, formatter: formatter) }
        guard let limit = ThreadMessages.nextLimit(after: request?.limit), !messages.isComplete else {
            return []
        }
        isLoadingEarlier = true
        return reload(limit: limit)
    }

    mutating func showLaterMessages(outgoing: [OutgoingItem], formatter: TimeFormatter) -> [Action] {
        messages.showLaterMessages()
        return rewriteLines(outgoing: outgoing, formatter: formatter)
    }

    mutating func showEnd(outgoing: [OutgoingItem], formatter: TimeFormatter) -> [Action] {
        messages.showEnd()
        (isAtEnd, newMessagesBelow) = (true, 0)
        return rewriteLines(outgoing: outgoing, formatter: formatter) + [.scrollToEnd]
    }

    /// Removes the separator above the unread messages, because a user who replies has read them.
    mutating func clearUnreadMarker() {
        (firstUnread, unreadCount, isUnreadGroupOpen) = (nil, 0, false)
        colleagueReply = nil
    }
}

// MARK: - Lines

extension ThreadState {
    private func makeLineWriter(formatter: TimeFormatter) -> LineWriter {
        LineWriter(
            formatter: formatter, firstUnread: firstUnread, unreadCount: unreadCount,
            highlighted: highlighted,
            ownAdminID: ownAdminID, query: query)
    }

    /// Creates all lines again and returns the changes.
    mutating func rewriteLines(outgoing: [OutgoingItem], formatter: TimeFormatter) -> [Action] {
        guard phase == .messages else { return clearLines() }
        let writer = makeLineWriter(formatter: formatter)
        let history = writer.lines(of: messages.shownMessages)
        historyCount = history.count
        let new = history + (messages.hasLater ? [] : writer.lines(for: outgoing))
        guard let splice = Splice(from: lines, to: new) else { return [] }
        lines = new
        return [.lines(splice)]
    }

    mutating func clearLines() -> [Action] {
        guard let splice = Splice(from: lines, to: []) else { return [] }
        (lines, historyCount) = ([], 0)
        return [.lines(splice)]
    }

    /// Appends the lines of a message. The previous lines are not created again, so that the cost does not
    /// depend on the number of previous lines.
    private mutating func appendLines(
        of message: MessageView, after previous: MessageView?, formatter: TimeFormatter
    ) -> [Action] {
        let new = makeLineWriter(formatter: formatter).lines(of: [message], after: previous)
        lines.insert(contentsOf: new, at: historyCount)
        defer { historyCount += new.count }
        return [.lines(Splice(at: historyCount, removed: 0, added: new))]
    }

    mutating func rewriteOutgoingLines(outgoing: [OutgoingItem], formatter: TimeFormatter) -> [Action] {
        guard phase == .messages else { return [] }
        let new = messages.hasLater ? [] : makeLineWriter(formatter: formatter).lines(for: outgoing)
        guard var splice = Splice(from: lines[historyCount...], to: new) else { return [] }
        splice.at += historyCount
        lines.replaceSubrange(historyCount..., with: new)
        return [.lines(splice)]
    }
}
