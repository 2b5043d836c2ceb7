import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the state machine of the sign-in page.
struct SignInPageTests {
    typealias State = SignInPageState

    private static func session(_ auth: Authentication) -> SessionView {
        SessionView(account: "work", auth: auth, issuer: "https://id.example", scopes: [])
    }

    private func state(_ inputs: State.Input...) -> State {
        var state = State()
        let begin: [State.Input] = [
            .open(account: "work"),
            .answered(.session(account: "work"), .session(Self.session(.unauthenticated))),
        ]
        for input in begin + inputs { _ = state.handle(input) }
        return state
    }

    @Test func `The device code is shown until the sign-in succeeds`() {
        var state = state()
        #expect(
            state.handle(.signIn(.device, register: false))
                == [.follow(account: "work", .device, register: false)])
        _ = state.handle(
            .progress(
                .init(
                    userCode: "AB-CD", verificationUri: "https://id.example/d",
                    verificationUriComplete: nil, expiresAt: 9)))
        let code = State.Phase.code(
            "AB-CD", address: "https://id.example/d", link: "https://id.example/d", until: 9)
        #expect(state.phase == code)
        // A response about the session of the account must not replace the displayed code.
        #expect(state.handle(.changed) == [])
        _ = state.handle(.answered(.session(account: "work"), .session(Self.session(.unauthenticated))))
        #expect(state.phase == code)
        _ = state.handle(.progress(.init(session: Self.session(.authenticated))))
        #expect(state.phase == .signedIn(Self.session(.authenticated)))
    }

    @Test
    func `The sign-in page shows why an account is signed out, unless the page title states the reason`() {
        for (reason, shown) in [("not_signed_in", nil), ("session_expired", "the session has expired")] {
            var session = Self.session(.unauthenticated)
            (session.reason, session.reasonCode) = ("the session has expired", reason)
            var state = State()
            _ = state.handle(.open(account: "work"))
            _ = state.handle(.answered(.session(account: "work"), .session(session)))
            #expect(state.reason == shown)
        }
    }

    @Test func `If a sign-in fails, the sign-in page shows the reason next to the buttons`() {
        var state = state(.signIn(.browser, register: false))
        #expect(state.handle(.signInFailed(.refused("Refused."))) == [.call(.session(account: "work"))])
        _ = state.handle(.answered(.session(account: "work"), .session(Self.session(.unauthenticated))))
        #expect(state.problem == "Refused." && state.phase == .signedOut(Self.session(.unauthenticated)))
        _ = state.handle(.signIn(.device, register: false))
        #expect(state.problem == nil)
    }

    @Test func `Before signing out, the page lists the data that will be deleted`() {
        var state = state()
        #expect(state.handle(.signOut) == [.call(.loss(account: "work"))])
        _ = state.handle(.answered(.loss(account: "work"), .loss(["the session"])))
        #expect(state.signOutEffects == ["the session"])
        #expect(state.handle(.confirm(false)) == [])
        #expect(state.signOutEffects == nil)
        _ = state.handle(.answered(.loss(account: "work"), .loss([])))
        #expect(state.handle(.confirm(true)) == [.call(.signOut(account: "work"))])
    }

    @Test
    func `After a switch to another account, the page stops waiting for the previous account's sign-in`() {
        var state = state(.signIn(.device, register: false))
        #expect(state.handle(.open(account: "home")) == [.stopFollowing, .call(.session(account: "home"))])
        #expect(state.handle(.progress(.init(session: Self.session(.authenticated)))) == [])
        #expect(state.phase == .loading)
    }
}
