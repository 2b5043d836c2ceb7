import ControlAPI

/// The messages of a thread that are here, oldest first, and which of them are shown: a piece that grows at its
/// ends, as a thousand at once would stop the window for seconds.
struct ThreadMessages: Sendable {
    private(set) var all: [MessageView] = []
    /// Indices of `all`.
    private(set) var shown = 0..<0
    private var ids: Set<String> = []
    /// Nothing older is to be had.
    private(set) var isWhole = false
    /// The newest so many were asked for; nil: all.
    private(set) var limit: Int?

    /// So many are shown at first, and added at a time.
    static let page = 50
    /// Asked for, page after page: few at first, then more, as each call reads all of them again.
    private static let limits = [page, 500, 5000]

    var hasEarlier: Bool { shown.lowerBound > 0 || !isWhole }
    var hasLater: Bool { shown.upperBound < all.count }
    var newest: MessageView? { all.last }
    var newestShown: MessageView? { shown.isEmpty ? nil : all[shown.upperBound - 1] }
    var shownMessages: ArraySlice<MessageView> { all[shown] }

    func contains(_ id: String) -> Bool { ids.contains(id) }

    /// The limit to ask for next; nil in the optional: all of them.
    static func limit(after limit: Int?) -> Int?? {
        guard let limit else { return nil }
        guard let index = limits.firstIndex(where: { $0 > limit }) else { return .some(nil) }
        return .some(limits[index])
    }

    /// A thread as it is now. What was shown stays shown; at first its end, or around `message`.
    mutating func replace(with messages: [MessageView], limit: Int?, isCut: Bool, around message: String?) {
        let oldest = shown.isEmpty ? nil : all[shown.lowerBound].messageId
        let newest = hasLater ? newestShown?.messageId : nil
        // What came by the watch meanwhile may not be in an answer that was on its way.
        let known = Set(messages.map(\.messageId))
        let last = messages.last?.createdAt ?? .min
        let late = all.filter { !known.contains($0.messageId) && $0.createdAt >= last }
        all = messages + late
        ids = Set(all.map(\.messageId))
        self.limit = limit
        isWhole = limit.map { messages.count < $0 } ?? true
        if isCut { isWhole = true }
        let end = newest.flatMap { id in all.lastIndex { $0.messageId == id } }.map { $0 + 1 } ?? all.count
        let start =
            oldest.flatMap { id in all.firstIndex { $0.messageId == id } } ?? max(0, all.count - Self.page)
        shown = min(start, end)..<end
        if let message { show(message) }
    }

    /// False where it is not here.
    @discardableResult
    mutating func show(_ message: String) -> Bool {
        guard ids.contains(message), let index = all.firstIndex(where: { $0.messageId == message }) else {
            return false
        }
        guard !shown.contains(index) else { return true }
        let end = min(all.count, index + Self.page / 2)
        let start = max(0, end - Self.page)
        // Near what is shown it is joined to that.
        shown = end >= shown.lowerBound && index < shown.lowerBound ? start..<shown.upperBound : start..<end
        return true
    }

    /// Returns false where it is known; it stands last, or by its time.
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

    /// False where what is earlier must be asked for first.
    mutating func showEarlier() -> Bool {
        guard shown.lowerBound > 0 else { return false }
        shown = max(0, shown.lowerBound - Self.page)..<shown.upperBound
        return true
    }

    mutating func showLater() {
        shown = shown.lowerBound..<min(all.count, shown.upperBound + Self.page)
    }

    mutating func showEnd() {
        guard hasLater else { return }
        shown = max(0, all.count - Self.page)..<all.count
    }

    /// Of the newest `count` messages of others the first one.
    func first(ofUnread count: Int) -> MessageView? {
        guard count > 0 else { return nil }
        var left = count
        for message in all.reversed() where !message.isOwn {
            left -= 1
            if left == 0 { return message }
        }
        return all.first { !$0.isOwn }
    }
}
