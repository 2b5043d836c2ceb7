import ControlAPI
import Reasons
import Testing

@testable import InboxModel

/// Tests of the state machine of the permissions page.
struct AccessStateTests {
    private typealias Action = PageAction<AccessState.Call, Never>

    private func grant(
        _ state: GrantView.State = .granted, kind: GrantView.Kind = .services, verified: Bool = false,
        decidedAt: Int64? = 1_780_000_000_000, expiresAt: Int64? = nil
    ) -> GrantView {
        GrantView(
            grantId: "1", account: "me", kind: kind, app: "executable:/usr/bin/notes:1:2", appName: "Notes",
            verified: verified, protocols: ["com.cuti-e.replies", "org.example.files"],
            services: ["Library"], state: state, askedAt: 1_780_000_000_000, decidedAt: decidedAt,
            expiresAt: expiresAt)
    }

    private let library = ServiceView(
        account: "me", name: "Library", link: "https://library.example", host: "library.example",
        protocols: ["org.example.files"], authorized: true, fetchedAt: 0)

    private let ready = TimeFormatter(now: 1_780_000_000_000, calendar: LocalCalendar { _ in 0 })

    private func loaded() -> AccessState {
        var state = AccessState()
        #expect(state.handle(.load) == [.call(.list)])
        #expect(state.handle(.answered(.list, .listed([grant()], [library]))) == [])
        return state
    }

    @Test func `A change during a list request causes one further request after the response`() {
        var state = AccessState()
        #expect(state.handle(.load) == [.call(.list)])
        #expect(state.handle(.load) == [], "two answers could change places")
        #expect(state.handle(.load) == [])
        #expect(state.handle(.answered(.list, .listed([grant()], []))) == [.call(.list)])
        #expect(state.handle(.answered(.list, .listed([], []))) == [])
        #expect(state.grants == [])
    }

    @Test func `The effects of a revocation are shown before the user confirms the revocation`() {
        var state = loaded()
        let target = AccessState.Target.app(grant())
        #expect(state.handle(.revoke(target)) == [.call(.losses(target))])
        #expect(state.loss == nil)
        _ = state.handle(
            .answered(
                .losses(target), .lost([Reason(.lossOfAppTokens, ["app": "Notes", "service": "Library"])])))
        #expect(state.loss?.losses.map(\.english) == ["the tokens of Notes at Library"])
        #expect(state.handle(.confirm(true, forgetting: true)) == [.call(.revoke(target, forgetting: true))])
        #expect(state.loss == nil)
        #expect(state.handle(.answered(.revoke(target, forgetting: true), .lost([]))) == [.call(.list)])
    }

    @Test func `Nothing is revoked if the user cancels the confirmation`() {
        var state = loaded()
        let target = AccessState.Target.service(library)
        _ = state.handle(.revoke(target))
        _ = state.handle(.answered(.losses(target), .lost([.text("the token")])))
        #expect(state.handle(.confirm(false, forgetting: false)) == [])
        #expect(state.handle(.confirm(true, forgetting: false)) == [], "a second answer is to nothing")
    }

    @Test func `The row of a service lists unusable protocols with the reasons`() {
        func lines(_ reasons: [String]?) -> [String] {
            var service = library
            (service.protocols, service.unusable, service.authorized) = ([], reasons, false)
            return ServiceRow(service, account: nil, formatter: ready).subtitle.split(separator: "\n").map(
                String.init)
        }
        #expect(lines(nil) == ["library.example"])
        let reason =
            "a is on o.example, which is not the host of the service; the token of b is not sent to another host"
        #expect(lines([reason]) == ["library.example", reason])
        #expect(lines(["a", "b", "c", "d\ne"]) == ["library.example", "a", "b", "c", "…"])
        #expect(lines(["d\ne"]) == ["library.example", "d e"])
    }

    @Test func `The row of a service is short even if the service has hundreds of protocols`() {
        var service = library
        service.protocols = (1...400).map { "org.moodle.rest.core_function_\($0)" }
        let row = ServiceRow(service, account: nil, formatter: ready)
        #expect(row.subtitle.count < 400 && row.subtitle.contains("core_function_1, "))
    }

    @Test func `The services page finds services by name and host`() {
        var state = loaded()
        for words in ["libr", "EXAMPLE", "lib example"] {
            _ = state.handle(.words(words))
            #expect(state.services == [library], "\(words)")
        }
        _ = state.handle(.words("archive"))
        #expect(state.services.isEmpty && state.hasServices)
    }

    @Test func `Only one discovery runs at a time, and its result contains the number of services`() {
        var state = loaded()
        _ = state.handle(.place("https://library.example"))
        #expect(state.handle(.discover) == [.call(.discover("https://library.example"))])
        #expect(state.handle(.discover) == [] && state.isDiscovering)
        let found = state.handle(.answered(.discover("https://library.example"), .found(1, problems: [])))
        #expect(found == [.showToast("One service was found."), .call(.list)])
        #expect(!state.isDiscovering && state.place.isEmpty)
    }

    @Test func `The reasons for missing services are shown until the next discovery`() {
        var state = loaded()
        _ = state.handle(.discover)
        #expect(state.problemText == nil)
        let problems = [
            Reason(.hostWithoutServices, ["host": "a.example"]),
            .text("b.example\noffers no protocols"),
        ]
        _ = state.handle(.answered(.discover(""), .found(1, problems: problems)))
        #expect(
            state.problemText
                == "• a.example does not describe any services\n• b.example offers no protocols")
        _ = state.handle(
            .answered(.discover(""), .found(1, problems: Array(repeating: .text("x"), count: 99))))
        #expect(state.problemText?.split(separator: "\n").count == 8)
        _ = state.handle(.discover)
        #expect(state.problemText == nil)
    }

    @Test func `A failed discovery is reported, and the page remains usable`() {
        var state = loaded()
        _ = state.handle(.discover)
        let failure = CallFailure(Offline(reason: "it does not respond"))
        #expect(state.handle(.failed(.discover(""), failure)) == [.showToast(failure.sentence)])
        #expect(!state.isDiscovering && state.phase == .ready)
        _ = state.handle(.failed(.list, failure))
        #expect(state.phase == .failed(failure.sentence))
    }

    @Test func `The row of an app shows its permissions, and a warning if the app is not verified`() {
        let row = GrantRow(grant(), formatter: ready)
        #expect(row.title == "Notes" && row.removal == "Revoke Access for Notes")
        #expect(row.subtitle.hasPrefix("Not verified: "))
        #expect(row.subtitle.contains("reply to users on your behalf, org.example.files, at Library"))
        #expect(
            GrantRow(grant(kind: .feedback, verified: true), formatter: ready).subtitle.hasPrefix(
                "Replies from the developers of the app")
        )
        #expect(GrantRow(grant(.refused), formatter: ready).removal == "Allow Notes to Ask Again")
        #expect(GrantRow(grant(.refused, decidedAt: nil), formatter: ready).removal == nil)
        let unanswered = grant(.refused, decidedAt: nil, expiresAt: 1_780_003_600_000)
        #expect(
            GrantRow(unanswered, formatter: ready).removal == "Allow Notes to Ask Again",
            "nobody answered a moment ago")
        for state in [GrantView.State.expired, .revoked, .asked] {
            #expect(GrantRow(grant(state), formatter: ready).removal == nil)
        }
    }

    @Test func `Only the services that the user selected are allowed`() throws {
        let choices = ["a", "b"].map {
            ServiceChoice(name: $0, link: "https://\($0)", host: $0, account: "me", used: false)
        }
        func question(single: Bool) -> QuestionView {
            QuestionView(
                questionId: "1", kind: "services", question: "", detail: "", allow: "", refuse: "",
                askedAt: 0, services: choices, single: single)
        }
        var several = try #require(ServiceSelection(question(single: false)))
        #expect(several.answers == ["https://a", "https://b"])
        several.setChoice(choices[0], isSelected: false)
        #expect(several.answers == ["https://b"] && several.canAllow)
        several.setChoice(choices[1], isSelected: false)
        #expect(!several.canAllow)
        var one = try #require(ServiceSelection(question(single: true)))
        #expect(one.answers == ["https://a"])
        one.setChoice(choices[1], isSelected: true)
        one.setChoice(choices[0], isSelected: false)
        #expect(one.answers == ["https://b"], "the other radio button goes off by itself")
        #expect(one.label(of: choices[0]) { $0 } == "a · a")
    }

    @Test
    func `If two accounts offer a service, one account is preselected, and either account can be deselected`()
        throws
    {
        let choices = ["home", "work"].map {
            ServiceChoice(
                name: "a", link: "https://a", host: "a", account: $0, used: false, id: "https://a \($0)")
        }
        let question = QuestionView(
            questionId: "1", kind: "services", question: "", detail: "", allow: "", refuse: "",
            askedAt: 0, services: choices)
        var selection = try #require(ServiceSelection(question))
        #expect(selection.answers == ["https://a home"] && !selection.contains(choices[1]))
        selection.setChoice(choices[1], isSelected: true)
        selection.setChoice(choices[0], isSelected: false)
        #expect(selection.answers == ["https://a work"])
        #expect(
            choices.map { selection.label(of: $0) { $0.uppercased() } } == ["a · a · HOME", "a · a · WORK"])
    }
}
