import ControlAPI
import Testing

@testable import InboxModel

/// Tests every state of the form.
struct FormTests {
    private func open(_ inputs: FormInput...) -> Desk {
        var desk = Desk.filled([])
        desk.receive(.form(.open))
        for input in inputs { desk.receive(.form(input)) }
        return desk
    }

    private static let thread = NewThread(
        key: "k", account: "default", category: "bug", title: nil, message: "It crashes")
    private static let call = Call.create(thread)

    private func sending() -> Desk { open(.category("bug"), .text("It crashes"), .send(key: "k")) }

    @Test func `The form opens empty, asks for name and contact, and lists what is sent along`() {
        var desk = Desk.filled([])
        #expect(desk.state.formView == nil)
        #expect(
            desk.receive(.form(.open))
                == [.call(.user(account: "default")), .deviceFacts(account: "default")])
        #expect(desk.state.formView?.isEmpty == true)
        #expect(desk.state.formView?.accounts == [])
        #expect(desk.state.formView?.context == "No information about your computer is sent.")
        desk.receive(.form(.deviceFacts([.language, .country, .systemVersion])))
        #expect(
            desk.state.formView?.context
                == "Also sent: your language, your country and your system version.")
        desk.receive(.form(.deviceFacts([.appVersion])))
        #expect(desk.state.formView?.context == "Also sent: the app version.")
        let user = UserView(account: "default", userId: "ada@example.org", userName: "Ada")
        desk.receive(.answered(.user(account: "default"), .user(user)))
        #expect(desk.state.formView?.name == "Ada")
        #expect(desk.state.formView?.contact == "ada@example.org")
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
    func `The form is valid or names the problem`(inputs: [FormInput], problems: [FormView.Problem]) {
        var desk = open()
        for input in inputs { desk.receive(.form(input)) }
        #expect(desk.state.formView?.problems == problems)
        #expect(desk.state.formView?.canSend == problems.isEmpty)
        #expect(desk.receive(.form(.send(key: "k"))).calls.isEmpty == !problems.isEmpty)
    }

    @Test func `A blank field is empty, and only changed fields are set`() {
        var desk = open(.text("x"), .title(" "))
        let user = UserView(account: "default", userId: "ada@example.org", userName: "Ada")
        desk.receive(.answered(.user(account: "default"), .user(user)), .form(.contact(" ")))
        let set = Call.setUser(account: "default", name: nil, contact: "")
        #expect(desk.receive(.form(.send(key: "k"))).calls == [set])
        let create = NewThread(key: "k", account: "default", category: "feedback", title: nil, message: "x")
        #expect(desk.receive(.answered(set, .done)).calls == [.create(create)])
    }

    @Test func `A refused field is reported until it changes`() {
        var desk = open(.text("x"), .name("Ada"))
        let set = Call.setUser(account: "default", name: "Ada", contact: nil)
        desk.receive(.form(.send(key: "k")))
        desk.receive(.failed(set, .invalid(InvalidArgument(parameter: "userName", reason: "it is rude"))))
        let problem = FormView.Problem.refused(.name, "“Name” is not valid: it is rude.")
        #expect(desk.state.formView?.shownProblem == problem)
        #expect(desk.state.formView?.canSend == false)
        desk.receive(.form(.name("Eve")))
        #expect(desk.state.formView?.shownProblem == nil && desk.state.formView?.canSend == true)
    }

    @Test func `An empty message is a problem once the user tries to send it`() {
        var desk = open(.title("Title"))
        #expect(desk.state.formView?.shownProblem == nil)
        #expect(desk.receive(.form(.send(key: "k"))).isEmpty)
        #expect(desk.state.formView?.shownProblem == .noText)
        desk.receive(.form(.text("x")))
        #expect(desk.state.formView?.shownProblem == nil)
    }

    @Test func `Each problem names its field`() {
        let words: [(FormView.Field, String)] = [
            (.title, "title"), (.text, "message"), (.name, "name"), (.contact, "contact"),
        ]
        for (field, word) in words {
            #expect(FormView.Problem.tooLong(field).sentence.contains(word))
            if field != .text { #expect(FormView.Problem.notOneLine(field).sentence.contains(word)) }
        }
    }

    @Test func `Sent feedback opens its thread`() {
        var desk = sending()
        #expect(desk.state.formView?.state == .sending)
        #expect(desk.receive(.form(.send(key: "k2"))).isEmpty)
        let reply = CreateConversation.Reply(conversationId: "new", queued: false)
        let actions = desk.receive(.answered(Self.call, .created(reply)))
        #expect(actions.calls.last == .thread(.init(conversation: "new", account: "default", limit: 50)))
        // The keyboard is then in the composer of the new conversation.
        #expect(actions.last == .write)
        #expect(desk.state.formView == nil)
    }

    @Test func `A new name or contact is sent before the message`() {
        var desk = open(.text("x"), .name("Ada"))
        let user = Call.setUser(account: "default", name: "Ada", contact: nil)
        #expect(desk.receive(.form(.send(key: "k"))).calls == [user])
        let next = desk.receive(.answered(user, .done)).calls
        #expect(next.count == 1)
        guard case .create = next.first else {
            Issue.record("\(next)")
            return
        }
        // A late response must not overwrite what the user typed.
        var typing = open(.name("Eve"))
        typing.receive(
            .answered(.user(account: "default"), .user(UserView(account: "default", userName: "Ada"))))
        #expect(typing.state.formView?.name == "Eve")
    }

    @Test func `Queued feedback is kept, and the next form is empty`() {
        var desk = sending()
        let reply = CreateConversation.Reply(queued: true, outboxId: "k")
        desk.receive(.answered(Self.call, .created(reply)))
        guard case .queued = desk.state.formView?.state else {
            Issue.record("\(String(describing: desk.state.formView))")
            return
        }
        desk.receive(.form(.close))
        #expect(desk.state.formView == nil)
        desk.receive(.form(.open))
        #expect(desk.state.formView?.text == "")
    }

    @Test func `Failed feedback stays in the fields and is sent as edited`() {
        var desk = sending()
        desk.receive(.failed(Self.call, .refused("No.")))
        #expect(desk.state.formView?.state == .failed("No."))
        #expect(desk.state.formView?.text == "It crashes")
        desk.receive(.form(.text("It crashes!")))
        #expect(desk.state.formView?.state == .editing)
    }

    @Test func `Feedback that the outbox kept as refused is sent once, not twice`() {
        var desk = sending()
        let fault = NotSent(outboxId: "k", cause: .refused, reason: "too rude")
        desk.receive(.failed(Self.call, .notSent(fault)))
        #expect(desk.state.formView?.state == .failed("too rude"))
        #expect(desk.receive(.form(.send(key: "k2"))).calls == [.cancel(outboxId: "k")])
        let next = desk.receive(.answered(.cancel(outboxId: "k"), .done)).calls
        var again = Self.thread
        again.key = "k2"
        #expect(next.first == .create(again))
    }

    @Test func `After an unknown result the same text is sent with the same key`() {
        var desk = sending()
        desk.receive(.failed(Self.call, .unknownResult))
        #expect(desk.receive(.form(.send(key: "k2"))).calls == [Self.call])
        desk.receive(.failed(Self.call, .unknownResult), .form(.text("Else")))
        guard case .create(let other) = desk.receive(.form(.send(key: "k3"))).calls.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(other.key == "k3")
    }

    @Test func `Closing the form does not discard the text without asking`() {
        var desk = open(.text("Half a"), .close)
        #expect(desk.state.formView?.asksToDiscard == true)
        desk.receive(.form(.continueEditing))
        #expect(desk.state.formView?.asksToDiscard == false)
        desk.receive(.form(.close), .form(.discard))
        #expect(desk.state.formView == nil)
        #expect(open(.close).state.formView == nil)
    }

    @Test func `If there are several accounts, one is chosen`() {
        let accounts = [Desk.account("home"), Desk.account("work")]
        var desk = Desk.filled([], status: Desk.status(accounts))
        desk.receive(.form(.open))
        #expect(desk.state.formView?.accounts == ["home", "work"])
        #expect(
            desk.receive(.form(.account("work")))
                == [.call(.user(account: "work")), .deviceFacts(account: "work")])
        #expect(desk.state.formView?.account == "work")
    }
}
