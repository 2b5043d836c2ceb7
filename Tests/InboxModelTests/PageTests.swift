import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the state machine of the devices page.
struct DevicesTests {
    typealias State = DevicesState

    private static let phone = DeviceView(
        account: "default", deviceId: "d", deviceName: "Phone", primary: false, current: false)

    private func link(_ status: String, _ name: String? = nil) -> State.Input {
        .link(LinkView(linkToken: "t", expiresAt: 5, status: status, deviceName: name))
    }

    private func state(_ inputs: State.Input...) -> State {
        var state = State()
        for input in [.open(account: nil)] + inputs { _ = state.handle(input) }
        return state
    }

    @Test(arguments: [
        (State.Input.answered(.list(account: nil), .devices(.init(devices: []))), State.List.alone),
        (
            .answered(.list(account: nil), .devices(.init(devices: [phone], unanswered: ["x"]))),
            .devices([phone], unanswered: ["x"])
        ),
        (.failed(.list(account: nil), .refused("No.")), .failed("No.")),
        // A response for an account that is no longer shown must be ignored.
        (.failed(.list(account: "x"), .refused("No.")), .loading),
    ])
    func `The devices page shows the linked devices or, if the request failed, the error`(
        input: State.Input, list: State.List
    ) {
        #expect(state(input).list == list)
    }

    @Test func `A link code is shown until it is used or expires`() {
        var state = state()
        #expect(state.handle(.offer) == [.follow(account: nil)])
        #expect(state.offer == .asking)
        #expect(state.handle(.offer).isEmpty)
        _ = state.handle(link("pending"))
        #expect(state.offer == .shown(token: "t", until: 5))
        #expect(state.handle(link("confirmed", "Phone")) == [.call(.list(account: nil))])
        #expect(state.offer == .linked("Phone"))
        // The end of the stream after a successful link is not an error.
        _ = state.handle(.linkFailed(.unreachable))
        #expect(state.offer == .linked("Phone"))
        #expect(state.handle(.stopOffer).isEmpty)
        #expect(self.state(.offer, link("expired")).offer == .expired)
        #expect(self.state(.offer, .linkFailed(.refused("No."))).offer == .failed("No."))
        var stopped = self.state(.offer)
        #expect(stopped.handle(.stopOffer) == [.stopFollowing])
        #expect(stopped.offer == .none)
    }

    @Test func `After a switch to another account, the page stops waiting for the previous account's link`() {
        var state = state(.offer)
        #expect(state.handle(.open(account: "x")) == [.stopFollowing, .call(.list(account: "x"))])
    }

    @Test func `A pasted link token is trimmed and used once`() {
        var state = state(.token(" t\n"), .name("InboxFixture"))
        let call = State.Call.join(token: "t", name: "InboxFixture", account: nil)
        #expect(state.handle(.join) == [.call(call)])
        #expect(!state.canJoin)
        #expect(state.handle(.join).isEmpty)
        let actions = state.handle(.answered(call, .joined(.init(name: "InboxFixture"))))
        #expect(
            actions == [
                .showToast("Linked. The other device shows this device as “InboxFixture”."),
                .call(.list(account: nil)),
            ])
        #expect(state.token.isEmpty)
        var wrong = self.state(.token("t"), .join)
        _ = wrong.handle(
            .failed(.join(token: "t", name: nil, account: nil), .notFound(.init(what: "", id: ""))))
        #expect(wrong.join != .idle)
        #expect(wrong.canJoin)
        #expect(!self.state().canJoin)
        #expect(!self.state(.token(String(repeating: "x", count: 1025))).canJoin)
    }

    @Test func `A linked device is removed only after a confirmation`() {
        var state = state(.remove(Self.phone))
        #expect(state.deviceToRemove == Self.phone)
        #expect(state.handle(.confirm(false)).isEmpty)
        _ = state.handle(.remove(Self.phone))
        let call = State.Call.remove(device: "d", account: "default")
        #expect(state.handle(.confirm(true)) == [.call(call)])
        #expect(state.deviceToRemove == nil)
        #expect(state.handle(.answered(call, .removed)) == [.call(.list(account: nil))])
        #expect(
            state.handle(.failed(call, .refused("No."))) == [.showToast("No."), .call(.list(account: nil))])
    }
}

/// Tests of adding and removing the accounts of apps.
struct HandOverTests {
    typealias State = HandOverState

    private static let question = QuestionView(
        questionId: "1", kind: "app", question: "Add Shop?", detail: "", allow: "Add", refuse: "No",
        askedAt: 0)
    private static let app = AppView(
        account: "shop", appId: "a", appName: "Shop", apiUrl: "https://a", addedAt: 0)

    private func state(_ inputs: State.Input...) -> State {
        var state = State()
        for input in [.open(account: nil)] + inputs { _ = state.handle(input) }
        return state
    }

    @Test func `Only one link code is created at a time`() {
        var state = state()
        #expect(state.handle(.makeCode) == [.call(.code(account: nil))])
        #expect(state.handle(.makeCode).isEmpty)
        let reply = HandOverApp.Reply(account: "default", token: "t", link: "cutie://link?token=t")
        _ = state.handle(.answered(.code(account: nil), .code(reply)))
        #expect(state.code == .made(token: "t", link: "cutie://link?token=t"))
        #expect(self.state(.makeCode, .failed(.code(account: nil), .refused("No."))).code == .failed("No."))
    }

    @Test func `Opening another app's link asks for confirmation and then shows the result`() {
        var state = state(.link("cutie://link?token=t"))
        #expect(
            state.handle(.redeem(token: "t", api: "https://a.example"))
                == [.call(.redeem(token: "t", api: "https://a.example"))])
        #expect(!state.canRedeem)
        _ = state.handle(.answered(.redeem(token: "t"), .question(Self.question)))
        #expect(state.redemption == .question(Self.question))
        let call = State.Call.answer(questionId: "1", allow: true)
        #expect(state.handle(.answer(allow: true)) == [.call(call)])
        #expect(state.handle(.answer(allow: true)).isEmpty)
        let actions = state.handle(.answered(call, .answered(account: "shop")))
        #expect(
            actions == [
                .showToast("The app was added. New replies are now shown in this window."), .call(.apps),
            ])
        #expect(state.link.isEmpty)
    }

    @Test func `A question that was answered elsewhere is closed`() {
        let asked = State.Input.answered(.redeem(token: "t"), .question(Self.question))
        // The list of pending questions may arrive before or after the question.
        for inputs in [[asked, .questions(["1", "2"])], [.questions(["1", "2"]), asked]] {
            var state = state(.link("cutie://link?token=t"), .redeem(token: "t"))
            for input in inputs { _ = state.handle(input) }
            #expect(state.handle(.questions(["1"])).isEmpty)
            #expect(state.redemption == .question(Self.question))
            #expect(state.handle(.questions(["2"])) == [.call(.apps)])
            #expect(state.redemption == .idle && state.link.isEmpty)
        }
    }

    @Test func `A question stays open if it is newer than the list of questions, or is being answered`() {
        let asked = State.Input.answered(.redeem(token: "t"), .question(Self.question))
        var state = state(.link("cutie://link?token=t"), .redeem(token: "t"), asked)
        #expect(state.handle(.questions([])).isEmpty)
        #expect(state.redemption == .question(Self.question))
        _ = state.handle(.questions(["1"]))
        _ = state.handle(.answer(allow: true))
        #expect(state.handle(.questions([])).isEmpty)
        #expect(state.redemption == .answering)
    }

    @Test func `Opening an invalid link shows an error`() {
        var state = state(.link("x"))
        #expect(state.handle(.redeem(token: nil)).isEmpty)
        guard case .failed = state.redemption else {
            Issue.record("\(state.redemption)")
            return
        }
        #expect(state.canRedeem)
        #expect(!self.state(.link(" ")).canRedeem)
        #expect(
            self.state(.link("x"), .redeem(token: "t"), .failed(.redeem(token: "t"), .refused("No.")))
                .redemption
                == .failed("No."))
    }

    @Test func `The apps page lists added apps, and removes an app only after a confirmation`() {
        var state = state(.answered(.apps, .apps([Self.app])), .remove(Self.app))
        #expect(state.apps == [Self.app])
        #expect(state.handle(.confirm(true)) == [.call(.remove(account: "shop"))])
        #expect(state.handle(.answered(.remove(account: "shop"), .removed)) == [.call(.apps)])
        #expect(state.handle(.confirm(true)).isEmpty)
    }
}
