import Accounts
package import ControlAPI
import CutieAPI
import Domain
import EventLog
import FeedPolicy
import NotificationPolicy
import Notifications
package import Services
import Store
import VarlinkSocket

/// The handler for following the log.
struct WatchMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let notificationController: NotificationController
    let presence: PresenceCheck
    let runtime: RuntimeEnvironment

    var implementation: Implementation {
        Implementation().onStream(Watch.self) { call, replies in
            try await watch(call.parameters) { try await replies.send($0) }
        }
    }

    /// Streams the log. `send` waits until the client accepts the entry, so that a slow client delays only
    /// this stream.
    func watch(_ call: Watch, send: (Watch.Reply) async throws -> Void) async throws {
        notificationController.beginFollowingLog()
        defer { notificationController.endFollowingLog() }
        let follower = LogFollower(ingest: ingest, accounts: accounts)
        try await follower.follow(since: call.since) { step in
            switch step {
            case .snapshot(let sequence): try await send(makeSnapshot(at: sequence))
            case .reset(let sequence):
                try await send(.init(sequence: sequence, type: .reset, at: runtime.now().milliseconds))
            case .line(let line): try await send(Watch.Reply(hidingText(in: line)))
            }
        }
    }

    /// Returns the entry without message text unless the user's presence is confirmed. Keeps the text if
    /// a program displays the conversation, because the program already shows the earlier messages.
    private func hidingText(in line: LogLine) -> LogLine {
        guard line.message != nil || line.conversation != nil, !presence.showsTexts,
            !isConversationDisplayed(for: line.entry)
        else { return line }
        var line = line
        line.message = nil
        line.conversation?.record.lastMessage = nil
        return line
    }

    private func isConversationDisplayed(for entry: LogEntry) -> Bool {
        guard let account = entry.account, accounts[account] != nil, let conversation = entry.conversation
        else { return false }
        return notificationController.isConversationDisplayed(for: .reply(account, conversation))
    }

    private func makeSnapshot(at sequence: Int64) throws -> Watch.Reply {
        Watch.Reply(
            sequence: sequence, type: .snapshot, at: runtime.now().milliseconds,
            badge: try BadgeView(of: accounts.units, in: ingest), state: ConnectionState(accounts.state))
    }
}

extension Watch.Reply {
    /// Creates the reply for a log entry.
    package init(_ line: LogLine) {
        let entry = line.entry
        let share = entry.conversation.flatMap { id in entry.badgeConversation.map { [id.rawValue: $0] } }
        self.init(
            sequence: entry.sequence, type: EntryKind(rawValue: entry.kind.rawValue),
            at: entry.loggedAt.milliseconds,
            account: line.account, conversation: entry.conversation?.rawValue,
            message: entry.message?.rawValue,
            badge: BadgeView(total: entry.badgeTotal, conversations: share ?? [:], unread: entry.badgeUnread),
            state: entry.state.flatMap(ConnectionState.init(rawValue:)))
        if let data = entry.data {
            self.data = try? JSON.decode(LogDetails.self, from: data.utf8)
        } else if line.message != nil || line.conversation != nil {
            self.data = LogDetails(
                message: line.message.map(MessageView.init(_:)),
                conversation: line.conversation.map(ConversationView.init(_:)))
        }
    }
}
