import ControlAPI
import CutieAPI
import Testing

@testable import Control

struct WaybarLineTests {
    private func json(_ line: WaybarLine) throws -> String {
        JSONLine.singleLineText(of: try JSON.encode(line))
    }

    @Test func `Waybar shows the number of unread replies, and the tooltip lists their conversations`() throws
    {
        let line = WaybarLine(.sample(), conversations: [.sample(title: "<b>A & B</b>")], in: .plain)
        #expect(
            try json(line) == #"{"alt":"unread","class":"unread","percentage":3,"text":"3","#
                + #""tooltip":"3 new replies\n&lt;b&gt;A &amp; B&lt;/b&gt; (2)\nconnected by stream"}"#)
    }

    @Test func `The Waybar text is empty if there are no unread replies`() throws {
        let line = WaybarLine(
            .sample(badge: BadgeView(total: 0, conversations: [:])), conversations: [], in: .plain)
        #expect(
            try json(line) == #"{"alt":"none","class":"none","percentage":0,"text":"","#
                + #""tooltip":"No new replies\nconnected by stream"}"#)
    }

    @Test(
        arguments: [
            ([.device], 1, "1 new reply"), ([.device], 0, "No new replies"), ([.staff], 0, "No new messages"),
            ([.staff], 1, "1 new message"), ([.staff], 2, "2 new messages"),
            ([.device, .staff], 2, "2 new messages"), ([.device, .identity], 2, "2 new replies"),
            ([], 0, "No new replies"),
        ] as [([AccountKind], Int, String)])
    func `The tooltip counts replies for users, and messages for support staff`(
        kinds: [AccountKind], count: Int, expected: String
    ) {
        let accounts = kinds.map { kind in
            var account = AccountView.sample("\(kind)")
            account.kind = kind
            return account
        }
        let status = GetStatus.Reply.sample(
            accounts: accounts, badge: BadgeView(total: count, conversations: [:]))
        let tooltip = WaybarLine(status, conversations: [], in: .plain).tooltip
        #expect(tooltip.split(separator: "\n").first ?? "" == expected)
    }

    @Test func `Waybar shows the state offline if the daemon is not running`() throws {
        #expect(
            try json(.daemonGone) == #"{"alt":"offline","class":"offline","percentage":0,"text":"","#
                + #""tooltip":"cutied is not running"}"#)
    }

    @Test(arguments: [
        (ConnectionState.connected, 0, false, true, "none"), (.connected, 2, false, true, "unread"),
        (.connecting, 2, false, true, "unread"), (.connected, 2, true, true, "paused"),
        (.connected, 0, false, false, "paused"), (.offline, 2, true, true, "offline"),
        (.stopped, 0, false, true, "offline"), (.unregistered, 0, false, true, "offline"),
    ])
    func `The CSS class of the Waybar line names the most important state`(
        state: ConnectionState, badge: Int, paused: Bool, enabled: Bool, expected: String
    ) {
        var status = GetStatus.Reply.sample(badge: BadgeView(total: badge, conversations: [:]))
        (status.state, status.paused, status.notifications) = (state, paused, enabled)
        let line = WaybarLine(status, conversations: [], in: .plain)
        #expect(line.class == expected)
        #expect(line.text == (badge > 0 ? String(badge) : ""))
    }

    @Test func `If there are several accounts, the tooltip shows their titles`() {
        var account = AccountView.sample("staff")
        account.title = "Notes"
        let status = GetStatus.Reply.sample(accounts: [account, .sample("work")])
        let lines = WaybarLine(status, conversations: [], in: .plain).tooltip.split(separator: "\n")
        #expect(lines.suffix(2) == ["Notes: connected by stream", "work: connected by stream"])
    }

    @Test func `The tooltip shows the end of a pause`() {
        var status = GetStatus.Reply.sample()
        (status.paused, status.pausedUntil) = (true, noon + 30 * minute)
        #expect(
            WaybarLine(status, conversations: [], in: .plain).tooltip.contains(
                "\nNotifications: paused until 14:30\n"))
    }

    @Test(arguments: HoldView.Reason.allCases)
    func `The tooltip lists every hold, and every hold except missing presence sets the CSS class paused`(
        reason: HoldView.Reason
    ) {
        var status = GetStatus.Reply.sample()
        status.holds = [HoldView(reason: reason, until: noon + 30 * minute)]
        let line = WaybarLine(status, conversations: [], in: .plain)
        #expect(line.class == (reason == .presence ? "unread" : "paused"))
        #expect(line.tooltip.contains("\nNotifications: \(status.currentHolds[0].message(in: .plain))\n"))
    }

    @Test func `The percentage of the Waybar line is at most 100`() {
        let status = GetStatus.Reply.sample(badge: BadgeView(total: 1234, conversations: [:]))
        let line = WaybarLine(status, conversations: [], in: .plain)
        #expect(line.percentage == 100)
        #expect(line.text == "1234")
    }

    @Test func `Markup characters are escaped even if a combining mark follows`() {
        #expect(PangoText.escapedMarkup("<\u{301}'\"&>") == "&lt;\u{301}&#39;&quot;&amp;&gt;")
    }
}
