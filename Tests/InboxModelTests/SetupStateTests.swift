import InboxModel
import Localization
import Testing

struct SetupStateTests {
    private func state(_ inputs: SetupState.Input...) -> SetupState {
        var state = SetupState()
        for input in inputs { _ = state.handle(input) }
        return state
    }

    @Test(
        arguments: [
            ([], false), ([.appID(" ")], false), ([.appID("app_1")], true),
            ([.appID("app_1"), .place(.other)], false),
            ([.appID("app_1"), .place(.other), .address("https://a.example")], true),
            ([.address("https://a.example")], false), ([.appID("app_1"), .begin], false),
            ([.staff(true)], true), ([.staff(true), .place(.other)], false),
            ([.staff(true), .staff(false)], false),
            ([.staff(true), .place(.other), .address("https://a.example")], true),
        ] as [([SetupState.Input], Bool)])
    func `The setup page requires a valid App ID and address`(inputs: [SetupState.Input], canSubmit: Bool) {
        var state = SetupState()
        for input in inputs { _ = state.handle(input) }
        #expect(state.canSubmit == canSubmit)
        #expect(state.handle(.begin).isEmpty != canSubmit)
    }

    @Test func `The setup page saves the entered values only once`() {
        var state = state(.appID("app_1"), .address("https://a.example"))
        #expect(state.handle(.begin) == [.begin(appID: "app_1", place: .hosted, address: "")])
        #expect(state.phase == .working)
        #expect(state.handle(.begin).isEmpty)
        #expect(state.handle(.appID("app_2")).isEmpty)
        #expect(state.appID == "app_1")
    }

    @Test
    func `Support staff can set up an account without an App ID, and see the wording for support staff`() {
        var state = state(.appID("app_1"), .staff(true), .place(.other), .address("https://a.example"))
        #expect(state.role == .staff)
        #expect(state.handle(.begin) == [.begin(appID: nil, place: .other, address: "https://a.example")])
    }

    @Test func `A setup link for an app switches the setup page from a staff account to an app account`() {
        var state = state(.staff(true))
        _ = state.handle(.link(appID: "app_1", place: nil, address: ""))
        #expect(state.role == .user && state.appID == "app_1")
    }

    @Test func `A custom API address is used exactly as typed`() {
        var state = state(.appID("app_1"), .place(.other), .address("https://a.example"))
        #expect(state.handle(.begin) == [.begin(appID: "app_1", place: .other, address: "https://a.example")])
    }

    @Test func `An app link requires no API address, and the field for the link is cleared after submission`()
    {
        var state = state(.place(.other), .appID(" cutie://link?token=t"))
        #expect(state.isLinkOfApp && state.canSubmit)
        #expect(
            state.handle(.begin) == [.begin(appID: " cutie://link?token=t", place: .other, address: "")])
        let revision = state.revision
        _ = state.handle(.asked)
        #expect(state.phase == .asking && state.appID.isEmpty && !state.hasUnsavedText)
        #expect(state.revision > revision)
        #expect(!self.state(.appID("cutie://setup?app_id=a")).isLinkOfApp)
    }

    @Test func `A setup link fills in the fields of the setup page`() {
        var state = state(.appID("cutie://setup?app_id=app_1"))
        let revision = state.revision
        _ = state.handle(.link(appID: "app_1", place: .other, address: "https://a.example"))
        #expect(state.appID == "app_1")
        #expect(state.place == .other)
        #expect(state.address == "https://a.example")
        #expect(state.revision > revision)
        _ = state.handle(.link(appID: "app_2", place: nil, address: ""))
        #expect(state.place == .other)
        #expect(state.address == "https://a.example")
    }

    @Test func `A validation error is shown at its field until the field is changed`() {
        var state = state(.appID("a b"), .begin, .invalid(.appID, "no"))
        #expect(state.phase == .asking)
        #expect(state.problems == [.appID: "no"])
        _ = state.handle(.address("x"))
        #expect(state.problems == [.appID: "no"])
        _ = state.handle(.appID("ab"))
        #expect(state.problems.isEmpty)
        #expect(state.canSubmit)
    }

    @Test func `A setup failure is shown until a field is changed`() {
        var state = state(.appID("a"), .begin, .failed("full"))
        #expect(state.failure == "full")
        #expect(state.canSubmit)
        _ = state.handle(.appID("b"))
        #expect(state.failure == nil)
    }

    @Test func `The setup page shows the configured values unless the user has already entered text`() {
        #expect(state(.found(appID: "app_1", place: .hostedSandbox, address: "")).appID == "app_1")
        #expect(state(.appID("mine"), .found(appID: "app_1", place: .hosted, address: "")).appID == "mine")
        #expect(state(.found(appID: nil, place: .other, address: "x")).place == .hosted)
    }

    @Test(
        arguments: [
            ([], false), ([.appID(" ")], false), ([.appID("app_1")], true),
            ([.place(.other), .address("https://a.example")], true), ([.staff(true)], false),
            ([.appID("app_1"), .staff(true)], true),
            ([.link(appID: "app_1", place: nil, address: "")], true),
            ([.found(appID: "app_1", place: .other, address: "https://a.example")], false),
            ([.found(appID: "app_1", place: .hosted, address: ""), .appID("app_2")], true),
            ([.found(appID: "app_1", place: .hosted, address: ""), .appID("")], false),
            ([.found(appID: "app_1", place: .other, address: "https://a.example"), .address("b")], true),
            ([.appID("app_1"), .begin], false), ([.appID("app_1"), .begin, .begun], false),
            ([.appID("a b"), .begin, .invalid(.appID, "no")], true),
        ] as [([SetupState.Input], Bool)])
    func `The setup page counts as having unsaved input if the user has entered text`(
        inputs: [SetupState.Input], hasUnsavedText: Bool
    ) {
        var state = SetupState()
        for input in inputs { _ = state.handle(input) }
        #expect(state.hasUnsavedText == hasUnsavedText)
    }

    @Test func `The setup cannot be started again once it is complete`() {
        var state = state(.appID("a"), .begin, .begun)
        #expect(state.phase == .done)
        #expect(!state.canSubmit)
        #expect(state.handle(.begin).isEmpty)
    }
}
