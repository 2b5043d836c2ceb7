import ControlAPI
import Testing

@testable import InboxModel

/// A window without widgets: the state machine, and the rows and lines that its actions have built, as in the
/// list models of the real window.
struct InboxFixture {
    /// Friday, 21 November 2025, 10:00.
    static let morning: Int64 = 1_763_719_200_000
    static let minute: Int64 = 60_000
    static let day: Int64 = 86_400_000

    var state = InboxState(calendar: LocalCalendar { _ in 0 })
    var now = InboxFixture.morning
    private(set) var rows: [ConversationKey] = []
    private(set) var lines: [ThreadLine] = []

    static func key(_ id: String, _ account: String = "default") -> ConversationKey {
        ConversationKey(account: account, conversation: id)
    }

    static func view(
        _ id: String, _ title: String? = nil, account: String = "default", unread: Int = 0,
        status: String = "open", last: String? = nil, at minutes: Int64 = 0
    ) -> ConversationView {
        ConversationView(
            account: account, conversationId: id, status: status, title: title ?? id, unreadCount: unread,
            badge: 0, lastMessage: last, lastMessageAt: morning + minutes * minute,
            createdAt: morning - day, updatedAt: morning + 30 * day)
    }

    static func message(
        _ id: String, in conversation: String = "a", by sender: String = "admin", _ text: String? = nil,
        at minutes: Int64 = 0, account: String = "default", name: String? = nil
    ) -> MessageView {
        MessageView(
            account: account, messageId: id, conversationId: conversation, senderType: sender,
            senderName: name ?? (sender == "admin" ? "Ada" : nil), message: text ?? id, messageType: "text",
            createdAt: morning + minutes * minute)
    }

    static func status(
        _ accounts: [AccountView] = [account()], paused: Bool = false, until: Int64? = nil,
        hidesText: Bool = false, failed: Int = 0
    ) -> GetStatus.Reply {
        let worst: [ConnectionState] = [.stopped, .offline, .connecting, .connected]
        return GetStatus.Reply(
            version: "1",
            state: worst.first { state in accounts.contains { $0.state == state } } ?? .starting,
            badge: BadgeView(conversations: [:]), sequence: 1, outbox: 0, outboxFailed: failed,
            notifications: true, paused: paused, pausedUntil: until, private: hidesText,
            notifier: NotifierView(available: true), accounts: accounts)
    }

    static func account(
        _ name: String = "default", _ state: ConnectionState = .connected, reason: String? = nil
    ) -> AccountView {
        AccountView(
            name: name, state: state, transport: "stream", reason: reason, apiUrl: "http://localhost",
            badge: BadgeView(conversations: [:]))
    }

    @discardableResult
    mutating func receive(_ inputs: Input...) -> [Action] {
        var actions: [Action] = []
        for input in inputs {
            let new = state.handle(input, now: now)
            apply(new)
            actions += new
        }
        return actions
    }

    private mutating func apply(_ actions: [Action]) {
        for action in actions {
            switch action {
            case .rows(let splice):
                rows.replaceSubrange(splice.at..<splice.at + splice.removed, with: splice.added)
            case .lines(let splice):
                lines.replaceSubrange(splice.at..<splice.at + splice.removed, with: splice.added)
            default: break
            }
        }
        #expect(rows == state.rowKeys)
        #expect(lines == state.lines)
    }

    mutating func entry(
        _ type: EntryKind, conversation: ConversationView? = nil, message: MessageView? = nil,
        account: String? = nil, state: ConnectionState? = nil
    ) -> [Action] {
        let details = LogDetails(message: message, conversation: conversation)
        return receive(
            .entry(
                Watch.Reply(
                    sequence: 1, type: type, at: now, account: account ?? conversation?.account, state: state,
                    data: details)))
    }

    /// Returns a window with a running daemon and the conversations `views`.
    static func filled(_ views: [ConversationView], status: GetStatus.Reply = status()) -> InboxFixture {
        var fixture = InboxFixture()
        _ = fixture.entry(.snapshot)
        fixture.receive(
            .answered(.status, .status(status)),
            .answered(.questions, .questions(.init(questions: []))),
            .answered(.outbox, .outbox(.init(items: []))),
            .answered(.list, .list(.init(conversations: views, badge: BadgeView(conversations: [:])))))
        return fixture
    }

    /// Returns the window of `filled(_:status:)`, in which the conversation `view` with `messages` is open.
    static func looking(
        at view: ConversationView, _ messages: [MessageView], isFocused: Bool = true
    ) -> InboxFixture {
        var fixture = filled([view])
        fixture.receive(.window(isFocused: isFocused, showsThread: true), .choose(view.key))
        fixture.receive(messages, view)
        return fixture
    }

    /// Responds to the last request for the messages of a conversation.
    @discardableResult
    mutating func receive(_ messages: [MessageView], _ view: ConversationView, cut: Bool? = nil) -> [Action] {
        guard let request = state.thread.request else { return [] }
        let newest = Array(messages.suffix(request.limit ?? .max))
        let reply = GetConversation.Reply(conversation: view, messages: newest, cut: cut)
        return receive(.answered(.thread(request), .thread(reply)))
    }
}

extension [Action] {
    var calls: [Call] { compactMap { if case .call(let call) = $0 { call } else { nil } } }

    /// The actions that do not change rows or lines.
    var sideEffects: [Action] {
        filter {
            switch $0 {
            case .rows, .row, .lines: false
            default: true
            }
        }
    }
}

extension ThreadLine {
    /// A short text that describes the line, for comparisons in tests.
    var sketch: String {
        switch content {
        case .day(let words): "— \(words)"
        case .unread(let words): "— \(words)"
        case .system(let words, _): "* \(words)"
        case .bubble(let bubble):
            (bubble.isHighlighted ? "!" : "") + "\(bubble.sender): \(bubble.text)"
                + (bubble.deliveryState.map { $0 == .sent ? "" : " [\($0.sketch)]" } ?? "")
        }
    }
}

extension DeliveryState {
    var sketch: String {
        switch self {
        case .sending: "sending"
        case .sent: "sent"
        case .waiting(let reason): "waiting" + (reason.map { ": " + $0 } ?? "")
        case .failed(let reason): "failed: \(reason)"
        }
    }
}
