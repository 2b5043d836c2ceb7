import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the feedback form in each of its states.
struct FormTests {
    private func open(_ inputs: FormInput...) -> InboxFixture {
        var fixture = InboxFixture.filled([])
        fixture.receive(.form(.open))
        for input in inputs { fixture.receive(.form(input)) }
        return fixture
    }

    private static let thread = NewThread(
        key: "k", account: "default", category: "bug", title: nil, message: "It crashes")
    private static let call = Call.create(thread)

    private func sending() -> InboxFixture { open(.category("bug"), .text("It crashes"), .send(key: "k")) }

    @Test
    func `The feedback form is empty at first, asks for name and contact, and lists the data to be sent`() {
        var fixture = InboxFixture.filled([])
        #expect(fixture.state.formView == nil)
        #expect(
            fixture.receive(.form(.open))
                == [.call(.user(account: "default")), .deviceFacts(account: "default")])
        #expect(fixture.state.formView?.isTextMissing == true)
        #expect(fixture.state.formView?.accounts == [])
        #expect(fixture.state.formView?.context == "No information about your computer is sent.")
        fixture.receive(.form(.deviceFacts([.language, .country, .systemVersion])))
        #expect(
            fixture.state.formView?.context
                == "Also sent: your language, your country and your system version.")
        fixture.receive(.form(.deviceFacts([.appVersion])))
        #expect(fixture.state.formView?.context == "Also sent: the app version.")
        let user = UserView(account: "default", userId: "ada@example.org", userName: "Ada")
        fixture.receive(.answered(.user(account: "default"), .user(user)))
        #expect(fixture.state.formView?.name == "Ada")
        #expect(fixture.state.formView?.contact == "ada@example.org")
    }

    @Test(arguments: [
        ([FormInput.text("x")], [FormView.Problem]()),
        ([], [.noText]), ([.text(" \n")], [.noText]),
        ([.text(String(repeating: "x", count: 1 << 20 + 1))], [.tooLong(.text)]),
        ([.text("x"), .title(String(repeating: "x", count: 1025))], [.tooLong(.title)]),
        ([.text("x"), .name(String(repeating: "ä", count: 129))], [.tooLong(.name)]),
        ([.text("x"), .contact(String(repeating: "x", count: 257))], [.tooLong(.contact)]),
        ([.text("x"), .title(String(repeating: "x", count: 1024))], []),
        ([.text("x"), .name(String(repeating: "x", count: 256) + " ")], []),
        ([.text("x"), .name(" \t"), .contact(" ")], []),
        ([.text("x"), .name("Ada\nEve")], [.notOneLine(.name)]),
        ([.text("x"), .contact("a\u{7}")], [.notOneLine(.contact)]),
    ])
    func `The feedback form shows its validation errors, and can be sent only if there are none`(
        inputs: [FormInput], problems: [FormView.Problem]
    ) {
        var fixture = open()
        for input in inputs { fixture.receive(.form(input)) }
        #expect(fixture.state.formView?.problems == problems)
        #expect(fixture.state.formView?.canSend == problems.isEmpty)
        #expect(fixture.receive(.form(.send(key: "k"))).calls.isEmpty == !problems.isEmpty)
    }

    @Test func `A blank field counts as empty, and only changed fields are sent`() {
        var fixture = open(.text("x"), .title(" "))
        let user = UserView(account: "default", userId: "ada@example.org", userName: "Ada")
        fixture.receive(.answered(.user(account: "default"), .user(user)), .form(.contact(" ")))
        let set = Call.setUser(account: "default", name: nil, contact: "")
        #expect(fixture.receive(.form(.send(key: "k"))).calls == [set])
        let create = NewThread(key: "k", account: "default", category: "feedback", title: nil, message: "x")
        #expect(fixture.receive(.answered(set, .done)).calls == [.create(create)])
    }

    @Test func `The validation error of a field is shown until the field is changed`() {
        var fixture = open(.text("x"), .name("Ada"))
        let set = Call.setUser(account: "default", name: "Ada", contact: nil)
        fixture.receive(.form(.send(key: "k")))
        fixture.receive(.failed(set, .invalid(InvalidArgument(parameter: "userName", reason: "it is rude"))))
        let problem = FormView.Problem.refused(.name, "“Name” is not valid: it is rude.")
        #expect(fixture.state.formView?.shownProblem == problem)
        #expect(fixture.state.formView?.canSend == false)
        fixture.receive(.form(.name("Eve")))
        #expect(fixture.state.formView?.shownProblem == nil && fixture.state.formView?.canSend == true)
    }

    @Test func `A validation error is shown for an empty message when the user tries to send it`() {
        var fixture = open(.title("Title"))
        #expect(fixture.state.formView?.shownProblem == nil)
        #expect(fixture.receive(.form(.send(key: "k"))).isEmpty)
        #expect(fixture.state.formView?.shownProblem == .noText)
        fixture.receive(.form(.text("x")))
        #expect(fixture.state.formView?.shownProblem == nil)
    }

    @Test func `Each validation error names the field that it concerns`() {
        let words: [(FormView.Field, String)] = [
            (.title, "title"), (.text, "message"), (.name, "name"), (.contact, "contact"),
        ]
        for (field, word) in words {
            #expect(FormView.Problem.tooLong(field).sentence.contains(word))
            if field != .text { #expect(FormView.Problem.notOneLine(field).sentence.contains(word)) }
        }
    }

    @Test func `After feedback is sent, the new conversation is opened`() {
        var fixture = sending()
        #expect(fixture.state.formView?.state == .sending)
        #expect(fixture.receive(.form(.send(key: "k2"))).isEmpty)
        let reply = CreateConversation.Reply(conversationId: "new", queued: false)
        let actions = fixture.receive(.answered(Self.call, .created(reply)))
        #expect(actions.calls.last == .thread(.init(conversation: "new", account: "default", limit: 50)))
        // The action moves the keyboard focus to the composer of the new conversation.
        #expect(actions.last == .focusComposer)
        #expect(fixture.state.formView == nil)
    }

    @Test func `A changed name or contact is sent before the feedback`() {
        var fixture = open(.text("x"), .name("Ada"))
        let user = Call.setUser(account: "default", name: "Ada", contact: nil)
        #expect(fixture.receive(.form(.send(key: "k"))).calls == [user])
        let next = fixture.receive(.answered(user, .done)).calls
        #expect(next.count == 1)
        guard case .create = next.first else {
            Issue.record("\(next)")
            return
        }
        // A response that arrives late must not overwrite text that the user typed after the request.
        var typing = open(.name("Eve"))
        typing.receive(
            .answered(.user(account: "default"), .user(UserView(account: "default", userName: "Ada"))))
        #expect(typing.state.formView?.name == "Eve")
    }

    @Test func `Feedback that is queued is reported as queued, and the next form is empty`() {
        var fixture = sending()
        let reply = CreateConversation.Reply(queued: true, outboxId: "k")
        fixture.receive(.answered(Self.call, .created(reply)))
        guard case .queued = fixture.state.formView?.state else {
            Issue.record("\(String(describing: fixture.state.formView))")
            return
        }
        fixture.receive(.form(.close))
        #expect(fixture.state.formView == nil)
        fixture.receive(.form(.open))
        #expect(fixture.state.formView?.text == "")
    }

    @Test func `Feedback that could not be sent stays in the form and can be edited`() {
        var fixture = sending()
        fixture.receive(.failed(Self.call, .refused("No.")))
        #expect(fixture.state.formView?.state == .failed("No."))
        #expect(fixture.state.formView?.text == "It crashes")
        fixture.receive(.form(.text("It crashes!")))
        #expect(fixture.state.formView?.state == .editing)
    }

    @Test func `Before edited feedback is sent, the refused feedback is cancelled in the outbox`() {
        var fixture = sending()
        let fault = NotSent(outboxId: "k", cause: .refused, reason: "too rude")
        fixture.receive(.failed(Self.call, .notSent(fault)))
        #expect(fixture.state.formView?.state == .failed("too rude"))
        #expect(fixture.receive(.form(.send(key: "k2"))).calls == [.cancel(outboxId: "k")])
        let next = fixture.receive(.answered(.cancel(outboxId: "k"), .done)).calls
        var again = Self.thread
        again.key = "k2"
        #expect(next.first == .create(again))
    }

    @Test
    func `Unchanged feedback is sent again with the same idempotency key if the first result is unknown`() {
        var fixture = sending()
        fixture.receive(.failed(Self.call, .unknownResult))
        #expect(fixture.receive(.form(.send(key: "k2"))).calls == [Self.call])
        fixture.receive(.failed(Self.call, .unknownResult), .form(.text("Else")))
        guard case .create(let other) = fixture.receive(.form(.send(key: "k3"))).calls.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(other.key == "k3")
    }

    @Test func `Closing a form that contains text asks for confirmation before the text is discarded`() {
        var fixture = open(.text("Half a"), .close)
        #expect(fixture.state.formView?.asksToDiscard == true)
        fixture.receive(.form(.continueEditing))
        #expect(fixture.state.formView?.asksToDiscard == false)
        fixture.receive(.form(.close), .form(.discard))
        #expect(fixture.state.formView == nil)
        #expect(open(.close).state.formView == nil)
    }

    @Test func `With several accounts, the user selects the account in the form`() {
        let accounts = [InboxFixture.account("home"), InboxFixture.account("work")]
        var fixture = InboxFixture.filled([], status: InboxFixture.status(accounts))
        fixture.receive(.form(.open))
        #expect(fixture.state.formView?.accounts == ["home", "work"])
        #expect(
            fixture.receive(.form(.account("work")))
                == [.call(.user(account: "work")), .deviceFacts(account: "work")])
        #expect(fixture.state.formView?.account == "work")
    }
}
