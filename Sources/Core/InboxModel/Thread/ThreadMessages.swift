import ControlAPI

/// The loaded messages of a thread, oldest first, and the visible range. The range grows step by step,
/// because the creation of 1000 lines at once would block the window for seconds.
struct ThreadMessages: Sendable {
    private(set) var all: [MessageView] = []
    /// The visible range, as indices of `all`.
    private(set) var shown = 0..<0
    private var ids: Set<String> = []
    /// Whether the oldest message is loaded.
    private(set) var isComplete = false
    /// The maximum number of messages in the latest request; `nil` if unlimited.
    private(set) var limit: Int?

    /// The number of messages that are visible initially, and that each step adds to the visible range.
    static let pageSize = 50
    /// The maximum number of messages in the first, second and third request. The first limit is low, because
    /// each request transfers all messages again, and the first request is usually sufficient.
    private static let limits = [pageSize, 500, 5000]

    var hasEarlier: Bool { shown.lowerBound > 0 || !isComplete }
    var hasLater: Bool { shown.upperBound < all.count }
    var newest: MessageView? { all.last }
    var newestShown: MessageView? { shown.isEmpty ? nil : all[shown.upperBound - 1] }
    var shownMessages: ArraySlice<MessageView> { all[shown] }

    func contains(_ id: String) -> Bool { ids.contains(id) }

    /// Returns the limit of the request after a request with `limit`. Returns `.some(nil)` if the new
    /// request is unlimited, and `nil` if no larger request is possible, because the last request was
    /// already unlimited.
    static func nextLimit(after limit: Int?) -> Int?? {
        guard let limit else { return nil }
        guard let index = limits.firstIndex(where: { $0 > limit }) else { return .some(nil) }
        return .some(limits[index])
    }

    /// Replaces the messages and preserves the visible range. The first call makes the newest messages
    /// visible.
    ///
    /// - Parameter message: a message that must be visible; `nil` if none is required.
    mutating func replace(
        with messages: [MessageView], limit: Int?, isTruncated: Bool, revealingMessageID message: String?
    ) {
        let oldest = shown.isEmpty ? nil : all[shown.lowerBound].messageId
        let newest = hasLater ? newestShown?.messageId : nil
        // Keep newer messages, which arrived while the call was in flight and are not in its result.
        let known = Set(messages.map(\.messageId))
        let last = messages.last?.createdAt ?? .min
        let late = all.filter { !known.contains($0.messageId) && $0.createdAt >= last }
        all = messages + late
        ids = Set(all.map(\.messageId))
        self.limit = limit
        isComplete = limit.map { messages.count < $0 } ?? true
        if isTruncated { isComplete = true }
        let end = newest.flatMap { id in all.lastIndex { $0.messageId == id } }.map { $0 + 1 } ?? all.count
        let start =
            oldest.flatMap { id in all.firstIndex { $0.messageId == id } }
            ?? max(0, all.count - Self.pageSize)
        shown = min(start, end)..<end
        if let message { makeMessageVisible(withID: message) }
    }

    /// Extends or moves the visible range, so that it contains a message. Returns `false` if the message is
    /// not loaded.
    @discardableResult
    mutating func makeMessageVisible(withID message: String) -> Bool {
        guard ids.contains(message), let index = all.firstIndex(where: { $0.messageId == message }) else {
            return false
        }
        guard !shown.contains(index) else { return true }
        let end = min(all.count, index + Self.pageSize / 2)
        let start = max(0, end - Self.pageSize)
        // If the new range begins before the visible range, and both ranges overlap or touch, merge the
        // ranges.
        shown = end >= shown.lowerBound && index < shown.lowerBound ? start..<shown.upperBound : start..<end
        return true
    }

    /// Inserts a message at its position by time. Returns `false` if the message is already loaded.
    mutating func add(_ message: MessageView) -> Bool {
        guard ids.insert(message.messageId).inserted else { return false }
        let isFollowed = !hasLater
        var index = all.count
        while index > 0, all[index - 1].createdAt > message.createdAt { index -= 1 }
        all.insert(message, at: index)
        if index < shown.lowerBound {
            shown = shown.lowerBound + 1..<shown.upperBound + 1
        } else if index < shown.upperBound || isFollowed {
            shown = shown.lowerBound..<shown.upperBound + 1
        }
        return true
    }

    /// Extends the visible range towards older messages. Returns `false` if older messages must be loaded
    /// first.
    mutating func showEarlierMessages() -> Bool {
        guard shown.lowerBound > 0 else { return false }
        shown = max(0, shown.lowerBound - Self.pageSize)..<shown.upperBound
        return true
    }

    mutating func showLaterMessages() {
        shown = shown.lowerBound..<min(all.count, shown.upperBound + Self.pageSize)
    }

    mutating func showEnd() {
        guard hasLater else { return }
        shown = max(0, all.count - Self.pageSize)..<all.count
    }

    /// Returns the first unread message, if the newest `count` messages from the other side are unread.
    func firstUnreadMessage(unreadCount count: Int, ownAdminID: String?) -> MessageView? {
        guard count > 0 else { return nil }
        var left = count
        for message in all.reversed() where !message.isFromOwnSide(ownAdminID: ownAdminID) {
            left -= 1
            if left == 0 { return message }
        }
        return all.first { !$0.isFromOwnSide(ownAdminID: ownAdminID) }
    }
}
