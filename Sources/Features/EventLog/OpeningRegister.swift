package import CutieAPI
import Store

/// Records which conversations the user opens, and tracks the accounts whose app shows conversations itself.
package final class OpeningRegister {
    private let ingest: Ingest
    /// The number of connected apps that show conversations themselves, per account.
    private var handlers: [AccountID: Int] = [:]

    /// The way in which the user opens a conversation. The raw values are sent to watchers.
    package enum Source: String {
        case notification, link, app
    }

    package init(ingest: Ingest) { self.ingest = ingest }

    /// Logs that the user opens a conversation.
    ///
    /// - Parameter message: the message to show first.
    /// - Returns: whether a connected app shows the conversation, so that no other program needs to be started.
    package func recordOpening(
        of conversation: Conversation.ID, account: AccountID, message: Message.ID?, source: Source
    ) throws -> Bool {
        let details = try JSON.encode(Details(openedBy: source.rawValue))
        let isLogged = try ingest.performChange(on: account) { change in
            guard let record = try change.transaction.conversations.find(conversation, account: account)
            else { return false }
            try change.log(
                .conversationOpened, for: record, message: message,
                data: String(decoding: details, as: UTF8.self))
            return true
        }
        // If the opening was not logged, the app is not notified, so another program must show the
        // conversation.
        return isLogged && handlers[account] != nil
    }

    /// Runs `body`, and records that an app shows the conversations of `account` while `body` runs.
    package func withRegisteredHandler<Result>(
        for account: AccountID, _ body: () async throws -> Result
    ) async rethrows -> Result {
        handlers[account, default: 0] += 1
        defer { handlers[account] = handlers[account].flatMap { $0 > 1 ? $0 - 1 : nil } }
        return try await body()
    }

    /// The data of the log entry about an opening, stored as JSON.
    package struct Details: Codable {
        package let openedBy: String
    }
}
