import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the requirements of each page, in different states of the window.
struct PageAbsenceTests {
    private static func account(
        _ kind: AccountKind, _ state: ConnectionState = .connected, _ auth: Authentication = .authenticated
    ) -> AccountView {
        var account = InboxFixture.account(kind.rawValue, state)
        (account.kind, account.auth) = (kind, auth)
        return account
    }

    private static func fixture(_ accounts: [AccountView]) -> InboxState {
        InboxFixture.filled([], status: InboxFixture.status(accounts)).state
    }

    private static func absent(isConfigured: Bool) -> InboxState {
        var fixture = InboxFixture()
        fixture.receive(.configured(isConfigured), .disconnected(.notRunning))
        return fixture.state
    }

    /// The expected placeholder title of each page, in the order of `PageRequirement`; an empty string if the
    /// page itself is shown.
    private static let rows: [(String, InboxState, [String])] = [
        ("no daemon", absent(isConfigured: true), [""] + Array(repeating: "Cuti-E Is Not Running", count: 5)),
        (
            "no account", absent(isConfigured: false),
            [""] + Array(repeating: "No Account Is Set Up", count: 5)
        ),
        ("connecting", InboxFixture().state, [""] + Array(repeating: "Loading…", count: 5)),
        (
            "daemon without accounts", fixture([]),
            ["", ""] + Array(repeating: "No Account Is Set Up", count: 4)
        ),
        ("device", fixture([account(.device)]), ["", "", "", "", "No Sign-In Needed", "For Support Staff"]),
        ("staff", fixture([account(.staff)]), ["", "", "", "No App Is Set Up", "", ""]),
        (
            "signed out", fixture([account(.staff, .stopped, .unauthenticated)]),
            ["", "", "", "No App Is Set Up", "", "You Are Not Signed In"]
        ),
        (
            "identity", fixture([account(.identity)]),
            ["", "", "", "No App Is Set Up", "", "For Support Staff"]
        ),
        (
            "offline", fixture([account(.device, .offline)]),
            ["", "", "", "", "No Sign-In Needed", "For Support Staff"]
        ),
    ]

    @Test(arguments: rows.indices)
    func `Each page shows its content, or the reason why the page is unavailable`(row: Int) {
        let (name, state, expected) = Self.rows[row]
        let titles = PageRequirement.allCases.map { state.placeholder(for: $0)?.title ?? "" }
        #expect(titles == expected, "\(name)")
    }

    @Test func `The placeholder of an unavailable page offers a solution`() {
        #expect(Self.absent(isConfigured: true).placeholder(for: .daemon)?.remedy == .startDaemon)
        #expect(Self.absent(isConfigured: false).placeholder(for: .daemon)?.remedy == .setUp)
        #expect(InboxFixture().state.placeholder(for: .daemon)?.isLoading == true)
    }

    @Test func `The feedback form does not open if no account can send feedback`() {
        var fixture = InboxFixture.filled([], status: InboxFixture.status([Self.account(.staff)]))
        #expect(
            fixture.receive(.form(.open))
                == [.showToast("None of your accounts can send feedback. Set up an app first.")])
        #expect(fixture.state.formView == nil)
    }
}
