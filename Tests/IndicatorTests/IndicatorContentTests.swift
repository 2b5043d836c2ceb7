import ControlAPI
import CutieAPI
import NotificationPolicy
import Testing
import Tray

@testable import Indicator

struct IndicatorContentTests {
    private func status(
        total: Int? = 3, kinds: [AccountKind] = [.device], holds: [HoldView] = [],
        preview: PreviewLevel? = .full
    ) -> GetStatus.Reply {
        GetStatus.Reply(
            version: "1", state: .connected, badge: BadgeView(total: total), sequence: 1, outbox: 0,
            notifications: !holds.contains { $0.reason == .off },
            paused: holds.contains { $0.reason == .paused }, notifier: NotifierView(available: true),
            holds: holds, preview: preview,
            accounts: kinds.enumerated().map { index, kind in
                AccountView(
                    name: "a\(index)", kind: kind, state: .connected, transport: "stream",
                    apiUrl: "https://a.example", badge: BadgeView())
            })
    }

    private func conversation(
        _ id: String, _ title: String?, _ message: String? = nil, badge: Int = 1
    ) -> ConversationView {
        var view = ConversationView(account: "default", conversationId: id, status: "open", badge: badge)
        (view.title, view.lastMessage) = (title, message)
        return view
    }

    private func content(
        _ status: GetStatus.Reply?, _ conversations: [ConversationView] = []
    ) -> TrayContent {
        IndicatorContent(status: status, conversations: conversations, zone: LocalZone { _ in 3600 }).content
    }

    private func labels(_ menu: [TrayMenuItem]) -> [String] {
        menu.flatMap { item in
            switch item {
            case .command(_, let label), .text(let label): [label]
            case .separator: ["-"]
            case .submenu(let label, let items): [label + ": " + labels(items).joined(separator: ", ")]
            }
        }
    }

    @Test func `The icon, the tooltip and the launcher show the number of unread replies`() {
        let table: [(Int?, [AccountKind], String, String, String, Int)] = [
            (3, [.device], "unread", "3 unread replies", "3", 3),
            (1, [.device], "unread", "1 unread reply", "1", 1),
            (2, [.staff], "unread", "2 unread messages", "2", 2),
            (0, [.device], "read", "No unread messages", "", 0),
            (nil, [.device], "read", "Connecting…", "", 0),
        ]
        for (total, kinds, icon, heading, label, count) in table {
            let content = content(status(total: total, kinds: kinds))
            #expect(content.icon == "io.cutied.Inbox-\(icon)-symbolic")
            #expect(content.heading == heading)
            #expect(content.text.isEmpty)
            #expect(content.label == label)
            #expect(content.count == count)
        }
    }

    @Test
    func `Without a daemon, the indicator shows no count, and the menu states that Cuti-E is not running`() {
        let content = content(nil)
        #expect(content.icon == "io.cutied.Inbox-read-symbolic")
        #expect(content.count == 0)
        #expect(labels(content.menu) == ["Cuti-E is not running", "-", "Open Inbox", "-", "Quit"])
    }

    @Test(arguments: [
        (HoldView(reason: .paused, until: 46_800_000), "paused", "Notifications are paused until 14:00."),
        (HoldView(reason: .paused), "paused", "Notifications are paused."),
        (HoldView(reason: .off), "paused", "Notifications are turned off."),
        (
            HoldView(reason: .quietHours, until: 0), "paused",
            "Quiet hours: no notifications until 01:00."
        ),
        (HoldView(reason: .noServer), "paused", "No notification service is running in this session."),
        (HoldView(reason: .privatePause), "unread", ""),
        (HoldView(reason: .presence), "unread", ""),
    ])
    func `While notifications are held, the icon differs and the tooltip states the reason`(
        hold: HoldView, icon: String, text: String
    ) {
        let content = content(status(holds: [hold]))
        #expect(content.icon == "io.cutied.Inbox-\(icon)-symbolic")
        #expect(content.text == text)
        #expect(content.heading == "3 unread replies")
    }

    @Test func `The menu of the indicator lists the newest unread conversations and the commands`() {
        let conversations = (1...7).map { conversation("c\($0)", "Title \($0)", badge: $0 == 2 ? 0 : 1) }
        let menu = content(status(), conversations).menu
        #expect(
            labels(menu) == [
                "3 unread replies", "Title 1", "Title 3", "Title 4", "Title 5", "Title 6", "-", "Open Inbox",
                "New Feedback", "Mark All as Read", "-", "Pause Notifications: For 1 Hour, Until Tomorrow",
                "-", "Quit",
            ])
        #expect(menu[1] == .command("cutie://conversation/c1?account=default", label: "Title 1"))
    }

    @Test func `The menu contains only commands that can currently be executed`() {
        let idle = labels(content(status(total: 0, kinds: [.staff])).menu)
        #expect(!idle.contains("New Feedback"))
        #expect(!idle.contains("Mark All as Read"))
        let paused = labels(content(status(holds: [HoldView(reason: .paused)])).menu)
        #expect(paused.contains("Pause Notifications: For 1 Hour, Until Tomorrow, -, Resume"))
    }

    @Test(
        arguments: [
            (.full, ["Refund — Dear Ann, hello"]), (.sender, ["Refund"]), (.count, []), (nil, []),
        ] as [(PreviewLevel?, [String])])
    func `The menu shows as much of a message as the preview level of notifications allows`(
        preview: PreviewLevel?, shown: [String]
    ) {
        let menu = content(
            status(preview: preview), [conversation("c", "Refund", "**Dear** Ann,\n\u{1B}`hello`")]
        ).menu
        #expect(Array(labels(menu).dropFirst().prefix { $0 != "-" }) == shown)
    }

    @Test func `Long, empty and hostile titles are shown as one short line`() {
        let table = [
            (String(repeating: "x", count: 500), String(repeating: "x", count: 39) + "…"),
            ("", "Conversation"), ("\u{7}\n\t", "Conversation"), ("a\r\nb", "a b"),
            (
                "e" + String(repeating: "\u{301}", count: 100_000),
                "e" + String(repeating: "\u{301}", count: 319)
            ),
        ]
        for (title, label) in table {
            let menu = content(status(preview: .sender), [conversation("c", title)]).menu
            #expect(labels(menu)[1].unicodeScalars.elementsEqual(label.unicodeScalars))
        }
    }
}

struct IndicatorCommandTests {
    @Test func `Each menu command can be encoded as text and decoded`() {
        let commands: [IndicatorCommand] = [
            .openInbox, .newFeedback, .markAllRead, .pauseForHour, .pauseUntilTomorrow, .resume, .quit,
            .open(.conversation("conv 1", account: "work")),
        ]
        #expect(Set(commands.map(\.text)).count == commands.count)
        for command in commands { #expect(IndicatorCommand(text: command.text) == command) }
    }

    @Test(arguments: ["", "inboxes", "https://a.example", "cutie://conversation/"])
    func `Text that encodes no menu command is rejected`(text: String) {
        #expect(IndicatorCommand(text: text) == nil)
    }
}
