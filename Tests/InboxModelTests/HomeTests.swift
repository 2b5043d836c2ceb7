import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the home page, which is shown to users who can sign in.
struct HomeTests {
    private func account(
        _ name: String, _ kind: AccountKind, _ auth: Authentication = .authenticated, isPending: Int? = 0
    ) -> AccountView {
        var account = InboxFixture.account(name)
        (account.kind, account.auth, account.badge.total) = (kind, auth, isPending)
        return account
    }

    private func session(_ account: String, _ name: String?) -> SessionView {
        SessionView(
            account: account, auth: .authenticated, name: name, email: "kim@example.org",
            issuer: "https://id.example", scopes: [])
    }

    @Test(arguments: [
        (4, "Good evening"), (5, "Good morning"), (11, "Good morning"), (12, "Good afternoon"),
        (17, "Good afternoon"), (18, "Good evening"), (23, "Good evening"),
    ])
    func `The greeting depends on the time of day and includes the name of a signed-in user`(
        hour: Int, subtitle: String
    ) {
        var state = HomeState()
        #expect(
            state.handle(.show([account("work", .staff)], hour: hour)) == [
                .call(.session(account: "work")), .call(.services),
            ])
        #expect(state.greeting == subtitle)
        _ = state.handle(.answered(.session(account: "work"), .session(session("work", "Kim\n"))))
        #expect(state.greeting == subtitle + ", Kim")
        // A session is requested again only if the sign-in state of its account has changed.
        #expect(state.handle(.show([account("work", .staff)], hour: hour)).isEmpty)
        let signedOut = [account("work", .staff, .unauthenticated)]
        #expect(state.handle(.show(signedOut, hour: hour)) == [.call(.services)])
        #expect(state.greeting == subtitle)
        #expect(state.handle(.show([account("work", .staff)], hour: hour)).count == 2)
    }

    @Test func `The home page shows the number of authorized services as soon as the number is known`() {
        func service(_ authorized: Bool) -> ServiceView {
            ServiceView(
                account: "id", name: "Library", link: "https://l", host: "l", protocols: [],
                authorized: authorized, fetchedAt: 0)
        }
        var state = HomeState()
        #expect(state.servicesSentence == nil)
        _ = state.handle(.answered(.services, .services([])))
        #expect(state.servicesSentence == "This computer has no access to services yet.")
        _ = state.handle(.answered(.services, .services([service(true), service(false), service(true)])))
        #expect(state.servicesSentence == "This computer has access to 2 services.")
        _ = state.handle(.failed(.services, .unreachable))
        #expect(state.servicesSentence == nil)
    }

    @Test func `Each row of the home page shows the number of pending conversations in its account`() {
        var state = HomeState()
        let accounts = [
            account("work", .staff, isPending: 1), account("shop", .device, isPending: 2),
            account("new", .device, isPending: nil), account("id", .identity),
            account("gone", .staff, .unauthenticated),
            account("calm", .staff),
        ]
        _ = state.handle(.show(accounts, hour: 9))
        #expect(
            state.rows.map(\.subtitle) == [
                "1 conversation is waiting for a reply.", "2 new replies.", "Not loaded yet.",
                "You are signed in.", "You are not signed in.", "You are up to date.",
            ])
        #expect(state.rows.map(\.count) == [1, 2, nil, nil, nil, 0])
        #expect(state.rows.map(\.isSignedOut) == [false, false, false, false, true, false])
    }

    @Test func `The home page requests the counts again when the unread count changes`() {
        var state = HomeState()
        let shop = [account("shop", .device, isPending: 0)]
        #expect(state.handle(.show(shop, hour: 9, unread: 0)) == [.call(.services)])
        #expect(state.handle(.show(shop, hour: 9, unread: 0)).isEmpty)
        #expect(state.handle(.show(shop, hour: 9, unread: 3)) == [.call(.counts)])
        _ = state.handle(.answered(.counts, .counts([account("shop", .device, isPending: 3)])))
        #expect(state.rows.map(\.subtitle) == ["3 new replies."])
        // The unread count has not changed, so no request is sent. The count in `shop` is older than the
        // received counts and must not replace them.
        #expect(state.handle(.show(shop, hour: 9, unread: 3)).isEmpty)
        #expect(state.rows.map(\.count) == [3])
    }
}

struct StatisticsTests {
    @Test
    func `The bars in the statistics are sorted by count, and their lengths are proportional to the counts`()
        throws
    {
        var state = StatisticsState()
        let call = StatisticsState.Call(account: "work", days: 30)
        #expect(state.handle(.open(account: "work")) == [.call(call)])
        let reply = GetStatistics.Reply(
            days: 30, total: 6, byStatus: ["open": 1, "closed": 4, "resolved": 0], byCategory: [:],
            byPriority: [:], answered: 5, averageFirstResponse: 7200)
        #expect(state.handle(.answered(call, reply)).isEmpty)
        guard case .ready(let figures) = state.phase else {
            Issue.record("\(state.phase)")
            return
        }
        #expect(figures.facts.map(\.value) == ["6", "5", "2 hours"])
        #expect(figures.groups.map(\.title) == ["By Status"])
        #expect(figures.groups[0].bars.map(\.count) == [4, 1])
        #expect(figures.groups[0].bars.map(\.share) == [1, 0.25])
    }

    @Test func `The statistics ignore a response for a period that is no longer selected`() {
        var state = StatisticsState()
        let old = StatisticsState.Call(account: "work", days: 30)
        _ = state.handle(.open(account: "work"))
        #expect(state.handle(.days(7)) == [.call(StatisticsState.Call(account: "work", days: 7))])
        #expect(state.handle(.days(7)).isEmpty)
        _ = state.handle(.failed(old, .refused("No.")))
        #expect(state.phase == .loading)
    }

    @Test(arguments: [
        (0.0, "Less than a minute"), (59, "1 minute"), (3600, "1 hour"), (47 * 3600.0, "47 hours"),
        (72 * 3600.0, "3 days"), (-1, "–"), (.infinity, "–"), (.nan, "–"),
    ])
    func `A duration is shown in a single unit`(seconds: Double, subtitle: String) {
        #expect(StatisticsState.Figures.durationText(seconds) == subtitle)
    }
}

struct SignedOutTests {
    private static let view = InboxFixture.view("a", account: "work")

    private func account(_ auth: Authentication) -> AccountView {
        var account = InboxFixture.account("work")
        (account.kind, account.auth) = (.staff, auth)
        return account
    }

    @Test
    func `When the session has ended, the sign-in page replaces the conversation and the draft is kept`() {
        var fixture = InboxFixture.filled([Self.view], status: InboxFixture.status([account(.authenticated)]))
        fixture.receive(.window(isFocused: true, showsThread: true), .choose(Self.view.key))
        fixture.receive([], Self.view)
        fixture.receive(.editDraft("Dear Ada"))
        fixture.receive(.answered(.status, .status(InboxFixture.status([account(.unauthenticated)]))))
        #expect(fixture.state.threadView == .signedOut("work"))
        #expect(fixture.state.conversationInFront == nil)
        fixture.receive(.answered(.status, .status(InboxFixture.status([account(.authenticated)]))))
        guard case .messages(let head) = fixture.state.threadView,
            case .box(let text, _, _, _) = head.composer
        else {
            Issue.record("\(fixture.state.threadView)")
            return
        }
        #expect(text == "Dear Ada")
    }

    @Test func `A sign-in does not replace the conversation of another account`() {
        let shop = InboxFixture.view("b", account: "shop")
        let status = InboxFixture.status([account(.unauthenticated), InboxFixture.account("shop")])
        var fixture = InboxFixture.filled([shop], status: status)
        #expect(fixture.state.threadView == .signedOut("work"))
        fixture.receive(.choose(shop.key))
        fixture.receive([], shop)
        guard case .messages = fixture.state.threadView else {
            Issue.record("\(fixture.state.threadView)")
            return
        }
    }
}
