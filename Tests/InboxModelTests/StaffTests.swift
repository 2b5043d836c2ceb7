import ControlAPI
import Testing

@testable import InboxModel

/// Tests the staff tools of a conversation.
struct StaffTests {
    private static let view = Desk.view("a", account: "work")
    private static let session = SessionView(
        account: "work", auth: .authenticated, subject: "kim-at-issuer", adminId: "kim", name: "Kim",
        issuer: "https://id.example", scopes: [])

    /// Returns a window of the admin Kim that shows a conversation with `messages`.
    private func desk(_ messages: [MessageView] = [], view: ConversationView = view) -> Desk {
        var account = Desk.account("work")
        account.kind = .staff
        var desk = Desk.filled([view], status: Desk.status([account]))
        desk.receive(.window(isFocused: true, showsThread: true), .choose(view.key))
        desk.receive(messages, view)
        desk.receive(.answered(.session(account: "work"), .session(Self.session)))
        return desk
    }

    private func message(_ id: String, by admin: String, note: Bool = false, at minutes: Int64 = 0)
        -> MessageView
    {
        MessageView(
            account: "work", messageId: id, conversationId: "a", senderType: "admin", senderId: admin,
            senderName: admin.prefix(1).uppercased() + admin.dropFirst(), message: id, messageType: "text",
            own: true,
            isInternalNote: note ? true : nil, createdAt: Desk.morning + minutes * Desk.minute)
    }

    private func change(_ work: StaffAction, _ key: String = "1") -> StaffChange {
        StaffChange(key: key, conversation: Self.view.key, work: work)
    }

    private func tools(_ desk: Desk) throws -> StaffTools {
        guard case .messages(let head) = desk.state.threadView else { throw Missing() }
        guard let staff = head.staff else { throw Missing() }
        return staff
    }

    private struct Missing: Error {}

    @Test func `Each view of staff contains its conversations and their number`() {
        var account = Desk.account("work")
        account.kind = .staff
        func view(_ id: String, _ status: String, assigned: String?, account: String = "work")
            -> ConversationView
        {
            var view = Desk.view(id, account: account, status: status)
            view.assignedAdminId = assigned
            return view
        }
        let views = [
            view("a", "open", assigned: nil), view("b", "waiting_admin", assigned: "kim"),
            view("c", "waiting_user", assigned: "kim"), view("d", "resolved", assigned: "kim"),
            view("e", "in_progress", assigned: "ann"), view("f", "open", assigned: nil, account: "default"),
        ]
        var desk = Desk.filled(views, status: Desk.status([Desk.account(), account]))
        func shown(_ view: InboxView) -> [String] {
            desk.receive(.filter(ListFilter(view: view)))
            #expect(
                desk.state.inboxViews.contains {
                    $0.view == view && $0.title.hasSuffix("(\(desk.rows.count))")
                })
            return desk.rows.map(\.conversation).sorted()
        }
        // Before the session is known, nothing is known to be Kim's.
        #expect(shown(.mine) == [])
        desk.receive(.answered(.session(account: "work"), .session(Self.session)))
        #expect(desk.rows.map(\.conversation).sorted() == ["b", "c"])
        #expect(shown(.unassigned) == ["a"])
        #expect(shown(.waiting) == ["a", "b"])
        #expect(shown(.open) == ["a", "b", "c", "e"])
        #expect(Desk.filled(views).state.inboxViews.isEmpty)
    }

    @Test func `Rows of staff show the priority and since when the user waits`() {
        var view = Desk.view("a", account: "work")
        (view.priority, view.status) = ("urgent", "waiting_admin")
        var desk = desk(view: view)
        #expect(desk.state.row(view.key)?.priority == "Urgent")
        #expect(desk.state.row(view.key)?.waiting == "Waiting since 10:00")
        (view.priority, view.status) = ("normal", "waiting_user")
        _ = desk.entry(.conversationUpdated, conversation: view)
        #expect(desk.state.row(view.key)?.priority == nil)
        #expect(desk.state.row(view.key)?.waiting == nil)
    }

    @Test func `A second answer asks first, and is sent if the user confirms`() {
        var desk = desk([Desk.message("m", by: "user", account: "work")])
        desk.receive(.typed("Try version 2"))
        _ = desk.entry(.messageCreated, message: message("Known", by: "kim", at: 1))
        #expect(desk.receive(.typed("Try version 2!")).calls.isEmpty)
        _ = desk.entry(.messageCreated, message: message("Note", by: "ann", note: true, at: 2))
        var other = desk
        #expect(other.receive(.send(key: "k")).calls.count == 1)
        _ = desk.entry(.messageCreated, message: message("Use version 3", by: "ann", at: 3))
        #expect(try! tools(desk).summary.contains("answered by Ann at 10:03"))
        let asked = desk.receive(.send(key: "k"))
        #expect(asked == [.askToSend("Ann answered at 10:03, while this conversation was open.")])
        #expect(desk.receive(.staff(.sendAndResolve(key: "k", resolution: "r"))) == asked)
        #expect(desk.receive(.sendAnyway(key: "k")).calls.count == 1)
        desk.receive(.typed("And more"))
        #expect(desk.receive(.send(key: "l")).calls.count == 1)
        // A note disturbs no colleague's answer.
        _ = desk.entry(.messageCreated, message: message("Or 4", by: "ann", at: 4))
        desk.receive(.staff(.write(.note)), .typed("For us"))
        #expect(desk.receive(.send(key: "m")).calls.count == 1)
    }

    @Test func `A colleague who is assigned is named at once`() {
        var desk = desk([message("Hello", by: "ann")])
        var view = Self.view
        view.assignedAdminId = "ann"
        #expect(
            desk.entry(.conversationUpdated, conversation: view).contains(.showToast("Ann is assigned")))
        view.title = "Other"
        #expect(
            !desk.entry(.conversationUpdated, conversation: view).contains(.showToast("Ann is assigned")))
        view.assignedAdminId = "kim"
        let mine = desk.entry(.conversationUpdated, conversation: view)
        #expect(mine.deeds.isEmpty)
    }

    @Test func `Resolving opens the next conversation and can be reverted`() {
        var account = Desk.account("work")
        account.kind = .staff
        let views = [
            Desk.view("a", account: "work", status: "waiting_admin", at: 3),
            Desk.view("b", account: "work", at: 2),
        ]
        var desk = Desk.filled(views, status: Desk.status([account]))
        desk.receive(.step(1))
        desk.receive([], views[0])
        #expect(desk.state.chosen == views[0].key)
        let resolved = desk.receive(.staff(.resolve(key: "1")))
        #expect(
            resolved.calls.first
                == .change(StaffChange(key: "1", conversation: views[0].key, work: .set(.status, "resolved")))
        )
        #expect(resolved.last == .offerUndo("Resolved: a"))
        #expect(desk.state.chosen == views[1].key)
        let undone = desk.receive(.staff(.undo(key: "2")))
        #expect(
            undone.calls.first
                == .change(
                    StaffChange(key: "2", conversation: views[0].key, work: .set(.status, "waiting_admin"))))
        #expect(desk.state.chosen == views[0].key)
        #expect(desk.receive(.staff(.undo(key: "3"))).isEmpty)
        desk.receive(.step(1), .step(1))
        #expect(desk.state.chosen == views[1].key)
        desk.receive(.step(-1))
        #expect(desk.state.chosen == views[0].key)
        var ended = views[0]
        ended.status = "closed"
        desk.receive([], ended)
        _ = desk.entry(.conversationUpdated, conversation: ended)
        #expect(
            desk.receive(.staff(.resolve(key: "4"))).calls == [
                .change(StaffChange(key: "4", conversation: ended.key, work: .set(.status, "open")))
            ])
    }

    @Test func `Canned responses are found by title and text, with their places filled in`() {
        var view = Self.view
        view.userName = "Ada"
        var desk = desk(view: view)
        func response(_ title: String, _ content: String) -> CannedResponseView {
            CannedResponseView(responseId: title, title: title, content: content)
        }
        let responses = [
            response("Hello", "Dear {{name}},\nthank you for {{thing}} and {{other}}."),
            response("Refund", "We say hello to your money."), response("Bye", "See you"),
        ]
        desk.receive(.answered(.canned(account: "work"), .canned(responses)))
        #expect(desk.state.cannedMatches("").map(\.title) == ["Hello", "Refund", "Bye"])
        #expect(desk.state.cannedMatches("hel").map(\.title) == ["Hello", "Refund"])
        #expect(desk.state.cannedMatches("nothing").isEmpty)
        let match = desk.state.cannedMatches("hel")[0]
        #expect(match.text == "Dear Ada,\nthank you for {{thing}} and {{other}}.")
        #expect(match.openPlace == "{{thing}}")
        desk.receive(.staff(.write(.note)))
        #expect(desk.state.cannedMatches("hel").isEmpty)
    }

    @Test func `The facts about the user and the user's other conversations are known`() throws {
        var account = Desk.account("work")
        account.kind = .staff
        func view(_ id: String, user: String?, device: String? = nil, at minutes: Int64 = 0)
            -> ConversationView
        {
            var view = Desk.view(id, account: "work", at: minutes)
            (view.userId, view.deviceId, view.userName, view.appName) = (user, device, "Ada\n", "Printer")
            return view
        }
        let views = [
            view("a", user: "ada", device: "d1"), view("b", user: "ada", at: 1), view("c", user: "bob"),
            view("d", user: nil, device: "d1", at: 2), view("e", user: nil, at: 3),
        ]
        var desk = Desk.filled(views, status: Desk.status([account]))
        desk.receive(.choose(views[0].key))
        desk.receive([], views[0])
        let user = try tools(desk).user
        #expect(user.facts.map(\.value).prefix(4) == ["Ada", "ada", "Printer", "d1"])
        #expect(user.others.map(\.title) == ["d", "b"])
    }

    @Test func `A device account has no staff tools and no switch to notes`() throws {
        let desk = Desk.looking(at: Desk.view("a"), [])
        guard case .messages(let head) = desk.state.threadView else { throw Missing() }
        #expect(head.staff == nil && head.mode == nil)
    }

    @Test func `Tags and canned responses are requested when a thread is opened`() {
        var account = Desk.account("work")
        account.kind = .staff
        var desk = Desk.filled([Self.view], status: Desk.status([account]))
        desk.receive(.choose(Self.view.key))
        let calls = desk.receive([], Self.view).calls
        // The session was requested with the status.
        #expect(calls == [.tags(account: "work"), .canned(account: "work")])
    }

    @Test func `For a thread opened before the accounts are known, session and tags are requested later`() {
        var account = Desk.account("work")
        account.kind = .staff
        var desk = Desk()
        _ = desk.entry(.snapshot)
        desk.receive(.open(conversation: "a", account: "work", message: nil))
        desk.receive([], Self.view)
        let calls = desk.receive(.answered(.status, .status(Desk.status([account])))).calls
        #expect(
            calls == [.session(account: "work"), .tags(account: "work"), .canned(account: "work")])
    }

    @Test(arguments: [
        StaffAction.assign(.me), .assign(.admin("lee")), .set(.status, "resolved"), .set(.priority, "urgent"),
        .set(.category, "bug"), .tag("printer"),
    ])
    func `A change is shown at once, and as pending while it cannot be sent`(work: StaffAction) throws {
        var desk = desk()
        #expect(desk.receive(.staff(.change(work, key: "1"))).calls == [.change(change(work))])
        #expect(try tools(desk).has(work))
        #expect(desk.receive(.staff(.change(work, key: "2"))).calls == [], "it is on its way")
        desk.receive(.answered(.change(change(work)), .changed(StaffReceipt(queued: true, outboxId: "1"))))
        #expect(try tools(desk).isWaiting)
        #expect(try tools(desk).summary.contains("sending when online"))
        #expect(desk.state.outbox.map(\.text) == [work.label])
        #expect(desk.state.row(Self.view.key)?.mark == .queued)
        // The change was sent while the window was in the background.
        desk.receive(.answered(.outbox, .outbox(.init(items: []))))
        #expect(try !tools(desk).isWaiting)
    }

    @Test func `A refused change is reverted with the reason`() throws {
        var desk = desk()
        let work = StaffAction.set(.status, "closed")
        desk.receive(.staff(.change(work, key: "1")))
        let actions = desk.receive(.failed(.change(change(work)), .refused("No.")))
        #expect(actions.deeds == [.showToast("No.")])
        #expect(try tools(desk).choices[.status]?.value == "open")
    }

    @Test func `A confirmed change belongs to the conversation, whichever response comes first`() throws {
        var changed = Self.view
        changed.status = "resolved"
        for isEntryFirst in [true, false] {
            var desk = desk()
            let work = StaffAction.set(.status, "resolved")
            desk.receive(.staff(.change(work, key: "1")))
            let answer = Input.answered(.change(change(work)), .changed(StaffReceipt(queued: false)))
            if isEntryFirst { _ = desk.entry(.conversationUpdated, conversation: changed) }
            desk.receive(answer)
            #expect(try tools(desk).choices[.status]?.value == "resolved")
            if !isEntryFirst { _ = desk.entry(.conversationUpdated, conversation: changed) }
            #expect(desk.state.outgoing.entries.isEmpty)
            changed.status = "open"
            _ = desk.entry(.conversationUpdated, conversation: changed)
            #expect(try tools(desk).choices[.status]?.value == "open")
            changed.status = "resolved"
        }
    }

    @Test func `A tag being removed is shown differently from one being added`() throws {
        var view = Self.view
        view.tags = [TagView(tagId: "t", conversationId: "a", tagName: "old")]
        var desk = desk(view: view)
        desk.receive(
            .answered(
                .tags(account: "work"), .tags([.init(tagId: "u", conversationId: "b", tagName: "other")])))
        desk.receive(.staff(.change(.untag("old"), key: "1")), .staff(.change(.tag("new"), key: "2")))
        let tags = try tools(desk).tags
        #expect(tags.map(\.label.name) == ["old", "new"])
        #expect(tags.map(\.isBeingRemoved) == [true, false])
        #expect(try tools(desk).otherTags == ["other"])
    }

    @Test func `Text for a note never becomes a reply`() throws {
        var desk = desk()
        desk.receive(.typed("Dear user"), .staff(.write(.note)))
        #expect(!desk.state.canSend, "a note begins empty")
        desk.receive(.typed("They are rude"))
        let sent = desk.receive(.send(key: "1"))
        let note = OutgoingMessage(
            key: "1", conversation: Self.view.key, message: "They are rude", reopens: false)
        #expect(sent.calls == [.note(note)])
        #expect(desk.lines.last?.content.bubble?.isNote == true)
        desk.receive(.staff(.write(.reply)))
        #expect(desk.state.drafts[DraftKey(Self.view.key)] == "Dear user")
        #expect(
            desk.receive(.send(key: "2")).calls.first.map { if case .send = $0 { true } else { false } }
                == true)
    }

    @Test func `A failed note is retried as a note, and cancelling returns it to the note's draft`() throws {
        var desk = desk()
        desk.receive(.staff(.write(.note)), .typed("Hush"))
        guard case .note(let note)? = desk.receive(.send(key: "1")).calls.first else { throw Missing() }
        desk.receive(.failed(.note(note), .gone))
        #expect(desk.receive(.retry(outboxId: "1")).calls == [.note(note)])
        desk.receive(.failed(.note(note), .gone), .cancel(outboxId: "1"))
        #expect(desk.state.drafts[DraftKey(Self.view.key, .note)] == "Hush")
        #expect(desk.state.drafts[DraftKey(Self.view.key, .reply)].isEmpty)
    }

    @Test func `A note in the outbox is shown as a note, also in a new window`() {
        var desk = desk()
        let item = OutboxItem(
            outboxId: "9", account: "work", kind: "note", conversationId: "a", text: "Hush", state: "waiting",
            attempts: 1, createdAt: Desk.morning)
        let update = OutboxItem(
            outboxId: "8", account: "work", kind: "update", conversationId: "a", state: "waiting",
            attempts: 1, createdAt: Desk.morning)
        desk.receive(.answered(.outbox, .outbox(.init(items: [item, update]))))
        #expect(desk.lines.compactMap(\.content.bubble).map(\.isNote) == [true])
        #expect(desk.state.outbox.map(\.text) == ["Hush", "Conversation change"])
        // A reply with the same text does not confirm the note.
        _ = desk.entry(.messageCreated, message: message("m", by: "kim"))
        #expect(desk.state.outbox.count == 2)
    }

    @Test func `A note in an ended conversation does not reopen it`() throws {
        var desk = desk(view: Desk.view("a", account: "work", status: "closed"))
        guard case .messages(let head) = desk.state.threadView, case .ended = head.composer else {
            throw Missing()
        }
        desk.receive(.staff(.write(.note)))
        guard case .messages(let now) = desk.state.threadView, case .box = now.composer else {
            throw Missing()
        }
    }

    @Test func `A canned response is shown in the thread at once and not sent twice`() {
        var desk = desk()
        let thanks = CannedResponseView(responseId: "r", title: "Thanks", content: "Hi {{name}}")
        let input = Input.staff(.respond(thanks, variables: ["name": "Ada"], text: "Hi Ada", key: "1"))
        let response = OutgoingResponse(
            key: "1", conversation: Self.view.key, responseId: "r", variables: ["name": "Ada"])
        #expect(desk.receive(input).calls == [.respond(response)])
        #expect(desk.receive(input).calls == [])
        #expect(desk.lines.last?.sketch == "You: Hi Ada [sending]")
        desk.receive(.answered(.respond(response), .sent(.init(queued: true, outboxId: "1"))))
        #expect(desk.lines.last?.sketch == "You: Hi Ada [waiting]")
    }

    @Test func `A canned response to edit is appended to the typed text`() {
        var desk = desk()
        desk.receive(.typed("Hello"), .staff(.write(.note)), .staff(.draft("Hi Ada")))
        #expect(desk.state.thread.mode == .reply)
        #expect(desk.state.drafts[DraftKey(Self.view.key)] == "Hello\n\nHi Ada")
    }

    @Test func `Colleagues are named and can be assigned the conversation`() throws {
        let desk = desk([message("m", by: "kim"), message("n", by: "lee", at: 1)])
        #expect(desk.lines.map(\.sketch).suffix(2) == ["You: m", "Lee: n"])
        #expect(try tools(desk).admins.map(\.name) == ["No One", "You", "Lee"])
    }
}

extension ThreadLine.Content {
    fileprivate var bubble: ThreadLine.Bubble? { if case .bubble(let bubble) = self { bubble } else { nil } }
}

/// Tests of canned responses before they are sent.
struct CannedTests {
    typealias State = CannedState

    private static let thanks = CannedResponseView(
        responseId: "r", title: "Thanks", content: "Hi {{name}}, {{ what }} and {{what}} are the same.")

    private func conversation(_ id: String = "c") -> ConversationView {
        var view = ConversationView(account: "work", conversationId: id, status: "open", badge: 0)
        view.userName = "Ada"
        return view
    }

    @Test func `Canned responses are requested for each conversation, and stay after a failure`() {
        var state = State()
        #expect(state.next(.show(nil)) == [])
        let call = State.Call(account: "work")
        #expect(state.next(.show(conversation())) == [.call(call)])
        _ = state.next(.answered(call, [Self.thanks]))
        #expect(state.next(.show(conversation("d"))) == [.call(call)])
        _ = state.next(.failed(call, .refused("No.")))
        #expect(state.list == .ready([Self.thanks]))
        _ = state.next(.answered(.init(account: "other"), []))
        #expect(state.list == .ready([Self.thanks]))
    }

    @Test func `Each variable is asked for once, the user's name is filled in, and gaps prevent sending`() {
        var state = State()
        _ = state.next(.show(conversation()))
        _ = state.next(.choose(Self.thanks))
        #expect(state.preview?.variables.map(\.name) == ["name", "what"])
        #expect(state.preview?.text == "Hi Ada, [what] and [what] are the same.")
        #expect(state.preview?.canSend == false)
        _ = state.next(.set(variable: "what", "prices"))
        #expect(state.preview?.text == "Hi Ada, prices and prices are the same.")
        #expect(state.preview?.canSend == true)
        #expect(state.preview?.values == ["name": "Ada", "what": "prices"])
        _ = state.next(.show(conversation("d")))
        #expect(state.preview == nil, "it was filled in for somebody else")
    }

    @Test func `A canned response without variables can be sent, an empty one cannot`() {
        #expect(State.Preview(.init(responseId: "r", title: "", content: "Hello"), name: nil).canSend)
        #expect(!State.Preview(.init(responseId: "r", title: "", content: " "), name: nil).canSend)
        let braces = State.Preview(.init(responseId: "r", title: "", content: "{{a"), name: nil)
        #expect(braces.text == "{{a" && braces.canSend)
    }

    /// Two placeholders, with a known name or without. The user leaves each unchanged, fills it, or makes it
    /// blank or empty.
    @Test func `Each subset of filled placeholders goes only without a gap`() throws {
        let names: [String?] = [nil, "Ada"]
        let inputs: [String?] = [nil, "filled", " ", ""]
        for (name, first, second) in names.flatMap({ name in
            inputs.flatMap { first in inputs.map { (name, first, $0) } }
        }) {
            var state = State()
            var view = conversation()
            view.userName = name
            _ = state.next(.show(view))
            _ = state.next(.choose(Self.thanks))
            #expect(!state.isWritten)
            for case (let variable, let value?) in [("name", first), ("what", second)] {
                _ = state.next(.set(variable: variable, value))
            }
            let values = [first ?? name ?? "", second ?? ""]
            let preview = try #require(state.preview)
            let isFilled = values.allSatisfy { !$0.allSatisfy { $0 == " " } }
            #expect(preview.canSend == isFilled, "\(values)")
            #expect(preview.values == ["name": values[0], "what": values[1]], "\(values)")
            if isFilled { #expect(preview.text == "Hi \(values[0]), filled and filled are the same.") }
            let isChanged = values != [name ?? "", ""]
            #expect(!isChanged || state.isWritten, "\(values)")
            _ = state.next(.back)
            #expect(!state.isWritten)
        }
    }

    @Test(arguments: [
        ("", "", false, false), (" ", "", false, true), ("Thanks", "", false, true),
        ("", "Hello", false, true),
        (" ", "Hello", false, true), ("Thanks", " ", false, true), ("Thanks", "Hello", true, true),
    ])
    func `A new one is complete with both texts, and written with one`(
        title: String, content: String, canAdd: Bool, isWritten: Bool
    ) {
        var state = State()
        for input: State.Input in [.compose(true), .title(title), .content(content)] { _ = state.next(input) }
        #expect(state.canAdd == canAdd)
        #expect(state.isWritten == isWritten)
        _ = state.next(.compose(false))
        #expect(!state.isWritten)
    }

    @Test func `A new one needs a title and a text`() {
        var state = State()
        _ = state.next(.compose(true))
        _ = state.next(.title("Thanks"))
        #expect(!state.canAdd)
        _ = state.next(.content("Thank you"))
        #expect(state.canAdd)
        _ = state.next(.compose(true))
        #expect(state.title.isEmpty && state.content.isEmpty)
    }
}
