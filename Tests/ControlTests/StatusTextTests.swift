import ControlAPI
import Testing

@testable import Control

struct StatusTextTests {
    @Test func `The status of a single account is printed as a block of lines`() {
        #expect(
            GetStatus.Reply.sample().text(in: .plain) == """
                state          connected by stream
                badge          3 in 2 conversations (5 unread on the server)
                notifications  on, shown by dunst 1.9.0
                outbox         empty
                account        app_sandbox at http://127.0.0.1:8787
                device         device_1
                last event     3 min ago
                daemon         0.1.0, log at 42

                """)
    }

    @Test func `The status shows the progress of indexing until all messages are indexed`() {
        var status = GetStatus.Reply.sample()
        status.indexing = 42
        #expect(status.text(in: .plain).contains("\nsearch         indexing old messages: 42 %\n"))
    }

    @Test func `Several accounts are listed in a table with the reasons for their states`() {
        var home = AccountView.sample("home", state: .offline)
        home.reason = "no route to host"
        home.warnings = ["the pins end; update"]
        home.badge = BadgeView(conversations: [:])
        home.lastEventAt = nil
        var status = GetStatus.Reply.sample(accounts: [.sample("work"), home])
        status.state = .offline
        status.outbox = 2
        #expect(
            status.text(in: .plain) == """
                state          connected (work), offline (home)
                badge          3 in 2 conversations (5 unread on the server)
                notifications  on, shown by dunst 1.9.0
                outbox         2 to send
                daemon         0.1.0, log at 42

                ACCOUNT  STATE      TRANSPORT  BADGE  LAST EVENT  APP          API
                work     connected  stream         3  3 min ago   app_sandbox  http://127.0.0.1:8787
                home     offline    none           ?              app_sandbox  http://127.0.0.1:8787

                home: no route to host
                home: the pins end; update

                """)
    }

    @Test(
        arguments: [
            ("default", nil, "", "app_sandbox"), ("work", nil, "work: ", "app_sandbox"),
            ("default", "Notes", "Notes: ", "Notes"), ("work", "Notes", "Notes: ", "Notes"),
            ("staff", "127.0.0.1", "", "app_sandbox"), ("default", "Cuti-E", "Cuti-E: ", "Cuti-E"),
        ] as [(String, String?, String, String)])
    func `The status shows the title of an account`(name: String, title: String?, prefix: String, app: String)
    {
        var account = AccountView.sample(name)
        account.title = title
        let alone = GetStatus.Reply.sample(accounts: [account]).text(in: .plain)
        #expect(alone.contains("account        \(prefix)app_sandbox at http://127.0.0.1:8787\n"))
        let table = GetStatus.Reply.sample(accounts: [account, .sample("other")]).text(in: .plain)
        #expect(table.contains("  3 min ago   \(app)  "))
    }

    @Test(
        arguments: [
            ("staff", "Sandbox", "Sandbox at http://127.0.0.1:8787"),
            ("staff", nil, "staff at http://127.0.0.1:8787"),
            ("default", "127.0.0.1", "http://127.0.0.1:8787"),
        ] as [(String, String?, String)])
    func `The status shows an account without an App ID by its title and its address`(
        name: String, title: String?, expected: String
    ) {
        var account = AccountView.sample(name)
        (account.kind, account.title, account.appId) = (.staff, title, nil)
        let text = GetStatus.Reply.sample(accounts: [account]).text(in: .plain)
        #expect(text.contains("account        \(expected)\n"))
    }

    @Test(arguments: [
        (40_000, "next try in 40 s"), (3_600_000, "next try in 1 h"), (300, "next try now"),
        (-5000, "next try now"),
    ])
    func `The status shows the reason for an outage and the time of the next attempt`(
        _ ahead: Int64, _ expected: String
    ) {
        var account = AccountView.sample(state: .offline)
        (account.reason, account.nextTryAt) = ("no route to host", TextFormat.plain.now + ahead)
        let line = "offline: no route to host; \(expected)\n"
        #expect(
            GetStatus.Reply.sample(accounts: [account]).text(in: .plain).contains("state          " + line))
        let table = GetStatus.Reply.sample(accounts: [account, .sample("work")]).text(in: .plain)
        #expect(table.contains(": no route to host; \(expected)\n"))
    }

    @Test(
        arguments: [
            (0, 0, "empty"), (2, 0, "2 to send"), (0, 1, "1 could not be sent: `cutied ctl outbox`"),
            (2, 1, "2 to send, 1 could not be sent: `cutied ctl outbox`"),
        ])
    func `The status counts failed and pending messages separately`(
        waiting: Int, failed: Int, expected: String
    ) {
        var status = GetStatus.Reply.sample()
        (status.outbox, status.outboxFailed) = (waiting, failed)
        #expect(status.text(in: .plain).contains("outbox         \(expected)\n"))
    }

    @Test(
        arguments: [
            (true, false, nil, true, "on, shown by dunst 1.9.0"), (false, false, nil, true, "off"),
            (true, true, noon + 30 * minute, true, "paused until 14:30"),
            (true, true, nil, true, "paused until resumed"),
            (true, false, nil, false, "on, but no notification server responds"),
        ] as [(Bool, Bool, Int64?, Bool, String)])
    func `The status shows whether notifications are on, off or paused`(
        enabled: Bool, paused: Bool, until: Int64?, available: Bool, expected: String
    ) {
        var status = GetStatus.Reply.sample()
        (status.notifications, status.paused, status.pausedUntil) = (enabled, paused, until)
        status.notifier.available = available
        #expect(status.text(in: .plain).contains("notifications  \(expected)\n"))
    }

    private static let held: [([HoldView], String)] = [
        ([], "on, shown by dunst 1.9.0"),
        ([.init(reason: .off)], "off"),
        ([.init(reason: .paused, until: noon + 30 * minute)], "paused until 14:30"),
        ([.init(reason: .paused)], "paused until resumed"),
        ([.init(reason: .quietHours, until: noon + 30 * minute)], "quiet hours until 14:30"),
        ([.init(reason: .noServer)], "on, but no notification server responds"),
        ([.init(reason: .privatePause)], "private until resumed: shown without names and text"),
        ([.init(reason: .presence)], "on, but shown without text until you confirm that you are here"),
        (
            [.init(reason: .paused), .init(reason: .quietHours, until: noon + 30 * minute)],
            "paused until resumed; quiet hours until 14:30"
        ),
    ]

    @Test(arguments: held)
    func `The commands ctl status and ctl notifications print the reasons why notifications are held`(
        holds: [HoldView], expected: String
    ) {
        var status = GetStatus.Reply.sample()
        status.holds = holds
        #expect(status.text(in: .plain).contains("notifications  \(expected)\n"))
        let text = Notifications.Reply(enabled: true, holds: holds).text(in: .plain)
        #expect(text == "notifications " + (holds.isEmpty ? "on" : expected) + "\n")
    }

    @Test func `The status shows the reason why an account is stopped`() {
        var account = AccountView.sample("work", state: .stopped)
        account.reason = "the App ID is refused\u{1B}[2J"
        let text = GetStatus.Reply.sample(accounts: [account]).text(in: .plain)
        #expect(text.hasPrefix("state          stopped: the App ID is refused␛[2J\n"))
        #expect(text.contains("account        work: app_sandbox at http://127.0.0.1:8787\n"))
    }

    @Test func `An unknown unread count is not shown as 0`() {
        let text = GetStatus.Reply.sample(badge: BadgeView(conversations: [:])).text(in: .plain)
        #expect(text.contains("badge          not known yet\n"))
    }

    @Test func `The status of a daemon without accounts is printed without an error`() {
        let text = GetStatus.Reply.sample(accounts: []).text(in: .plain)
        #expect(
            text.hasPrefix("state          no account yet: open the link of an app, or run `cutied setup`\n"))
    }

    @Test func `The connection state is colored on a terminal`() {
        var format = TextFormat.plain
        format.usesColor = true
        #expect(GetStatus.Reply.sample().text(in: format).contains("\u{1B}[32mconnected by stream\u{1B}[0m"))
    }

    @Test func `The status of one selected account contains only the values of that account`() throws {
        var home = AccountView.sample("home", state: .offline)
        home.badge = BadgeView(total: 1, conversations: [:])
        (home.outbox, home.outboxFailed) = (2, 1)
        var status = GetStatus.Reply.sample(accounts: [.sample("work"), home])
        (status.outbox, status.outboxFailed) = (5, 3)
        let narrowed = try status.narrowed(to: "home")
        #expect(narrowed.accounts == [home])
        #expect(narrowed.state == .offline)
        #expect(narrowed.badge.total == 1)
        #expect(narrowed.outbox == 2 && narrowed.outboxFailed == 1)
        #expect(try status.narrowed(to: "work").text(in: .plain).contains("outbox         empty\n"))
        #expect(try status.narrowed(to: nil) == status)
        #expect { try status.narrowed(to: "nobody") } throws: { ($0 as? CommandError)?.status == .notFound }
    }
}
