import CutieAPI
import FeedPolicy
@_spi(EventLog) import Store

/// The messages of a fetched conversation in the order of receipt, reduced to the data that an
/// `AccountTransaction` needs. Most of the messages are usually stored already.
nonisolated struct FetchedMessages: Sendable {
    /// The number of messages in a slice. Storing a slice takes about 10 ms; then other tasks run.
    static let slice = 256

    /// The replies that have not been answered.
    let waiting: [Message.ID]
    /// The newest message that answers replies; `nil` if there is none.
    let answer: Message?
    /// The messages that are not stored yet, oldest first.
    private(set) var new: ArraySlice<Message>
    /// The number of replies that `AccountTransaction.addSlice` stored and that the user has already read.
    var readReplies = 0

    init(
        of conversation: Conversation, account: AccountID, seenBy perspective: Perspective,
        in transaction: Transaction
    ) throws {
        let visible = (conversation.messages ?? []).filter { !perspective.hides($0) }
        let ordered = try Self.sortedByPosition(
            visible, of: conversation.id, account: account, transaction: transaction)
        let messages = ordered.map(\.message)
        waiting = perspective.unansweredMessages(in: messages).map(\.id)
        answer = messages.last(where: perspective.isAnswer)
        new = ordered.filter { $0.place == nil }.map(\.message)[...]
    }

    /// Removes and returns the oldest slice of the new messages; `nil` if at most one slice remains.
    mutating func removeNextSlice() -> ArraySlice<Message>? {
        guard new.count > Self.slice else { return nil }
        defer { new = new.dropFirst(Self.slice) }
        return new.prefix(Self.slice)
    }

    /// Returns messages in the order of receipt, with their positions in the store: stored messages first,
    /// then new messages in the order of the list, which is reversed if the newest message comes first. The
    /// messages are not sorted by date, because a message written while the server's clock was ahead would
    /// stay the newest for a long time.
    private static func sortedByPosition(
        _ messages: [Message], of conversation: Conversation.ID, account: AccountID,
        transaction: Transaction
    ) throws -> [(place: Int64?, message: Message)] {
        let dates = messages.map(\.createdAt)
        let isNewestFirst = zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 } && dates.first != dates.last
        let listed = try messages.map { message in
            (
                place: try transaction.messages.findPosition(
                    of: message.id, in: conversation, account: account),
                message: message
            )
        }
        let oldestFirst = isNewestFirst ? listed.reversed() : listed
        return oldestFirst.enumerated()
            .sorted { ($0.element.place ?? .max, $0.offset) < ($1.element.place ?? .max, $1.offset) }
            .map(\.element)
    }
}

/// The conversations whose messages are being stored in slices.
final class SlicedConversations {
    private var current: Set<Key> = []
    private let ended = ChangeSignal()

    var isEmpty: Bool { current.isEmpty }

    private struct Key: Hashable {
        let account: AccountID
        let conversation: Conversation.ID
    }

    /// Runs `body`. Until `body` ends, `waitForFetches` delays other changes to the conversation.
    func runFetch(
        of conversation: Conversation.ID, account: AccountID, _ body: () async throws -> Void
    ) async throws {
        try await waitForFetches(of: [conversation], account: account)
        let key = Key(account: account, conversation: conversation)
        current.insert(key)
        defer {
            current.remove(key)
            ended.notify()
        }
        try await body()
    }

    /// Waits until none of the conversations is being stored in slices.
    func waitForFetches(of conversations: some Sequence<Conversation.ID>, account: AccountID) async throws {
        while !current.isEmpty,
            conversations.contains(where: { current.contains(Key(account: account, conversation: $0)) })
        {
            try await ended.wait(past: ended.count)
        }
    }
}
