import ControlAPI
import Testing

@testable import InboxModel

struct MainMenuTests {
    private static func account(_ kind: AccountKind) -> AccountView {
        var account = InboxFixture.account(kind.rawValue)
        account.kind = kind
        return account
    }

    private static let item = OutboxItem(
        outboxId: "1", account: "device", kind: "send", text: "Hi", state: "queued", attempts: 0, createdAt: 0
    )

    @Test(
        arguments: [
            ([], false, false, [.page("devices"), .page("hand-over"), .page("apps"), .page("pause")]),
            ([.device], false, true, [.page("devices"), .page("hand-over"), .page("apps"), .resume]),
            (
                [.device], true, false,
                [.page("outbox"), .page("devices"), .page("hand-over"), .page("apps"), .page("pause")]
            ),
            (
                [.staff], true, false,
                [.page("apps"), .staff(["home", "statistics", "sign-in", "outbox"]), .page("pause")]
            ),
            ([.identity], false, false, [.page("apps"), .staff(["home", "sign-in"]), .page("pause")]),
            (
                [.device, .staff], true, true,
                [
                    .page("devices"), .page("hand-over"), .page("apps"),
                    .staff(["home", "statistics", "sign-in", "outbox"]), .resume,
                ]
            ),
        ] as [([AccountKind], Bool, Bool, [MainMenu.Entry])])
    func `The main menu has at most eight entries, which depend on the accounts`(
        kinds: [AccountKind], hasOutbox: Bool, isPaused: Bool, entries: [MainMenu.Entry]
    ) {
        var fixture = InboxFixture()
        _ = fixture.entry(.snapshot)
        let status = InboxFixture.status(kinds.map(Self.account), paused: isPaused)
        fixture.receive(.answered(.status, .status(status)))
        fixture.receive(.answered(.outbox, .outbox(.init(items: hasOutbox ? [Self.item] : []))))
        let menu = MainMenu(fixture.state)
        #expect(menu.entries == entries)
        // Adds the three fixed entries: the settings, the shortcuts and the about window.
        #expect(menu.entries.count + 3 <= 8)
    }
}
