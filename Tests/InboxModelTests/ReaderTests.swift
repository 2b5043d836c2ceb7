import ControlAPI
import Testing

@testable import InboxModel
@testable import Localization

/// Tests of text that depends on the user's role: account titles, and the wording for app users and for
/// staff.
struct ReaderTests {
    private static func account(
        _ name: String, _ kind: AccountKind = .device, title: String? = nil,
        _ state: ConnectionState = .connected
    ) -> AccountView {
        var account = InboxFixture.account(name, state)
        (account.kind, account.title, account.auth) = (kind, title, .authenticated)
        return account
    }

    private static let several = [
        account("default", title: "Notes"), account("staff", .staff, title: "help.example.org"),
    ]

    @Test func `The configuration key of an account is never shown if the account has a title`() throws {
        let (user, staff) = (InboxFixture.view("a"), InboxFixture.view("b", account: "staff"))
        var fixture = InboxFixture.filled([user, staff], status: InboxFixture.status(Self.several))
        #expect(fixture.state.row(for: user.key)?.account == "Notes")
        #expect(fixture.state.row(for: staff.key)?.account == "help.example.org")
        fixture.receive(.window(isFocused: true, showsThread: true), .choose(staff.key))
        fixture.receive([], staff)
        guard case .messages(let head) = fixture.state.threadView else {
            Issue.record("\(fixture.state.threadView)")
            return
        }
        #expect(head.account == "help.example.org")
        fixture.receive(.form(.open))
        #expect(fixture.state.formView?.accountTitles == [])
        let found = Search.Reply(messages: [InboxFixture.message("m", in: "b", account: "staff")])
        fixture.receive(.search("b"), .answered(.search(words: "b"), .search(found, services: [])))
        guard case .results(let hits, _) = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        #expect(Set(hits.map(\.account)) == ["help.example.org"])
        let added = fixture.receive(
            .answered(.answer(questionId: "1", allow: true), .answered(account: "shop")))
        #expect(
            added.sideEffects.first
                == .showToast("The app was added. New replies are now shown in this window."))
    }

    @Test(arguments: [
        (account("default", title: "Notes", .offline), "Notes: Offline"),
        (account("default", title: "Notes", .stopped), "Notes: The service does not accept this device"),
    ])
    func `The banner names the app of the affected account`(_ account: AccountView, _ beginning: String) {
        let fixture = InboxFixture.filled(
            [], status: InboxFixture.status([account, Self.account("other", title: "Maps")]))
        #expect(fixture.state.banner?.sentence.hasPrefix(beginning) == true)
    }

    @Test func `An account title that is received later appears in existing rows`() {
        let view = InboxFixture.view("a")
        let unnamed = [Self.account("default"), Self.account("other")]
        var fixture = InboxFixture.filled([view], status: InboxFixture.status(unnamed))
        #expect(fixture.state.row(for: view.key)?.account == "default")
        let named = [Self.account("default", title: "Notes"), Self.account("other")]
        let actions = fixture.receive(.answered(.status, .status(InboxFixture.status(named))))
        #expect(actions.contains(.row(view.key)) && actions.calls.isEmpty)
        #expect(fixture.state.row(for: view.key)?.account == "Notes")
    }

    @Test func `The first conversation with a new app name causes a single status request`() {
        var view = InboxFixture.view("a")
        var fixture = InboxFixture.filled(
            [], status: InboxFixture.status([Self.account("default"), Self.account("other")]))
        view.appName = "Notes"
        #expect(fixture.entry(.conversationUpdated, conversation: view).calls == [.status])
        view.status = "resolved"
        #expect(fixture.entry(.conversationUpdated, conversation: view).calls.isEmpty)
    }

    @Test(arguments: [
        ([account("a")], UserRole.user), ([account("a", .staff)], .staff), ([account("a", .identity)], .user),
        ([account("a"), account("b", .staff)], .both), ([], .user),
    ])
    func `The role of the window's user depends on the kinds of the accounts`(
        _ accounts: [AccountView], _ reader: UserRole
    ) {
        #expect(InboxFixture.filled([], status: InboxFixture.status(accounts)).state.role == reader)
    }

    @Test(arguments: [
        ("waiting_user", AccountKind.device, "Waiting for you"),
        ("waiting_user", .staff, "Waiting for the user"),
        ("waiting_admin", .device, "Waiting for support"), ("waiting_admin", .staff, "Waiting for support"),
    ])
    func `The wording of a conversation's status depends on the role of the user`(
        _ status: String, _ kind: AccountKind, _ words: String
    ) {
        let view = InboxFixture.view("a", status: status)
        var fixture = InboxFixture.filled(
            [view], status: InboxFixture.status([Self.account("default", kind)]))
        fixture.receive(.choose(view.key))
        fixture.receive([], view)
        guard case .messages(let head) = fixture.state.threadView else {
            Issue.record("\(fixture.state.threadView)")
            return
        }
        #expect(head.status == words)
    }
}
