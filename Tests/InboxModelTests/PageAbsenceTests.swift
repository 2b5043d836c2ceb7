import ControlAPI
import Testing

@testable import InboxModel

/// Tests the requirements of pages in different states of the window.
struct PageAbsenceTests {
    private static func account(
        _ kind: AccountKind, _ state: ConnectionState = .connected, _ auth: Authentication = .authenticated
    ) -> AccountView {
        var account = Desk.account(kind.rawValue, state)
        (account.kind, account.auth) = (kind, auth)
        return account
    }

    private static func desk(_ accounts: [AccountView]) -> InboxState {
        Desk.filled([], status: Desk.status(accounts)).state
    }

    private static func absent(isConfigured: Bool) -> InboxState {
        var desk = Desk()
        desk.receive(.configured(isConfigured), .gone(.notRunning))
        return desk.state
    }

    /// The titles shown instead of a page, in the order of `PageRequirement`; "" if the page is shown.
    private static let rows: [(String, InboxState, [String])] = [
        ("no daemon", absent(isConfigured: true), [""] + Array(repeating: "Cuti-E Is Not Running", count: 5)),
        ("no account", absent(isConfigured: false), [""] + Array(repeating: "Nothing Is Set Up", count: 5)),
        ("connecting", Desk().state, [""] + Array(repeating: "Loading…", count: 5)),
        ("daemon alone", desk([]), ["", ""] + Array(repeating: "Nothing Is Set Up", count: 4)),
        ("device", desk([account(.device)]), ["", "", "", "", "No Sign-In Needed", "For Support Staff"]),
        ("staff", desk([account(.staff)]), ["", "", "", "No App Is Set Up", "", ""]),
        (
            "signed out", desk([account(.staff, .stopped, .unauthenticated)]),
            ["", "", "", "No App Is Set Up", "", "You Are Not Signed In"]
        ),
        ("identity", desk([account(.identity)]), ["", "", "", "No App Is Set Up", "", "For Support Staff"]),
        (
            "offline", desk([account(.device, .offline)]),
            ["", "", "", "", "No Sign-In Needed", "For Support Staff"]
        ),
    ]

    @Test(arguments: rows.indices)
    func `A page is shown, or the reason why it is unavailable`(row: Int) {
        let (name, state, expected) = Self.rows[row]
        let titles = PageRequirement.allCases.map { state.absence(of: $0)?.title ?? "" }
        #expect(titles == expected, "\(name)")
    }

    @Test func `A page that is unavailable offers a remedy`() {
        #expect(Self.absent(isConfigured: true).absence(of: .daemon)?.remedy == .startDaemon)
        #expect(Self.absent(isConfigured: false).absence(of: .daemon)?.remedy == .setUp)
        #expect(Desk().state.absence(of: .daemon)?.isLoading == true)
    }

    @Test func `The form does not open if no account can write feedback`() {
        var desk = Desk.filled([], status: Desk.status([Self.account(.staff)]))
        #expect(
            desk.receive(.form(.open))
                == [.showToast("None of your accounts can send feedback. Set up an app first.")])
        #expect(desk.state.formView == nil)
    }
}
