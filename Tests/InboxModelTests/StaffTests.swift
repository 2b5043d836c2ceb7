import ControlAPI
import Domain
import Testing

@testable import InboxModel

/// Tests of the staff tools for a conversation.
struct StaffTests {
    private static let view = InboxFixture.view("a", account: "work")
    private static let session = SessionView(
        account: "work", auth: .authenticated, subject: "kim-at-issuer", adminId: "kim", name: "Kim",
        issuer: "https://id.example", scopes: [])

    /// Returns a window in which the agent Kim is signed in and sees the conversation with `messages`.
    private func fixture(_ messages: [MessageView] = [], view: ConversationView = view) -> InboxFixture {
        var account = InboxFixture.account("work")
        account.kind = .staff
        var fixture = InboxFixture.filled([view], status: InboxFixture.status([account]))
        fixture.receive(.window(isFocused: true, showsThread: true), .choose(view.key))
        fixture.receive(messages, view)
        fixture.receive(.answered(.session(account: "work"), .session(Self.session)))
        return fixture
    }

    private func message(_ id: String, by admin: String, note: Bool = false, at minutes: Int64 = 0)
        -> MessageView
    {
        MessageView(
            account: "work", messageId: id, conversationId: "a", senderType: "admin", senderId: admin,
            senderName: admin.prefix(1).uppercased() + admin.dropFirst(), message: id, messageType: "text",
            own: admin == "kim",
            isInternalNote: note ? true : nil, createdAt: InboxFixture.morning + minutes * InboxFixture.minute
        )
    }

    private func change(_ work: StaffAction, _ key: String = "1") -> StaffChange {
        StaffChange(key: key, conversation: Self.view.key, action: work)
    }

    private func tools(_ fixture: InboxFixture) throws -> StaffTools {
        guard case .messages(let head) = fixture.state.threadView else { throw Missing() }
        guard let staff = head.staff else { throw Missing() }
        return staff
    }

    private struct Missing: Error {}

    @Test func `Each staff view lists the matching conversations and shows their number`() {
        var account = InboxFixture.account("work")
        account.kind = .staff
        func view(_ id: String, _ status: String, assigned: String?, account: String = "work")
            -> ConversationView
        {
            var view = InboxFixture.view(id, account: account, status: status)
            view.assignedAdminId = assigned
            return view
        }
        var answered = view("g", "open", assigned: "ann")
        answered.lastSender = "admin"
        let views = [
            answered, view("a", "open", assigned: nil), view("b", "waiting_admin", assigned: "kim"),
            view("c", "waiting_user", assigned: "kim"), view("d", "resolved", assigned: "kim"),
            view("e", "in_progress", assigned: "ann"), view("f", "open", assigned: nil, account: "default"),
        ]
        var fixture = InboxFixture.filled(
            views, status: InboxFixture.status([InboxFixture.account(), account]))
        func shown(_ view: InboxView) -> [String] {
            fixture.receive(.filter(ListFilter(view: view)))
            #expect(
                fixture.state.inboxViews.contains {
                    $0.view == view && $0.title.hasSuffix("(\(fixture.rows.count))")
                })
            return fixture.rows.map(\.conversation).sorted()
        }
        // Until the session is known, no conversation counts as assigned to Kim.
        #expect(shown(.mine) == [])
        fixture.receive(.answered(.session(account: "work"), .session(Self.session)))
        #expect(fixture.rows.map(\.conversation).sorted() == ["b", "c"])
        #expect(shown(.unassigned) == ["a"])
        #expect(shown(.waiting) == ["a", "b"])
        #expect(shown(.open) == ["a", "b", "c", "e", "g"])
        var snoozed = views[2]
        snoozed.snoozedUntil = InboxFixture.morning + 60 * InboxFixture.minute
        _ = fixture.entry(.conversationUpdated, conversation: snoozed)
        #expect(shown(.snoozed) == ["b"])
        #expect(shown(.mine) == ["c"] && shown(.waiting) == ["a"] && shown(.open) == ["a", "c", "e", "g"])
        #expect(InboxFixture.filled(views).state.inboxViews.isEmpty)
    }

    @Test func `Rows of a staff account show the priority and how long the user has been waiting`() {
        var view = InboxFixture.view("a", account: "work")
        (view.priority, view.status) = ("urgent", "waiting_admin")
        var fixture = fixture(view: view)
        #expect(fixture.state.row(for: view.key)?.priority == "Urgent")
        #expect(fixture.state.row(for: view.key)?.waiting == "Waiting since 10:00")
        for (sender, waits) in [("admin", false), ("user", true)] {
            view.lastSender = sender
            _ = fixture.entry(.conversationUpdated, conversation: view)
            #expect((fixture.state.row(for: view.key)?.waiting != nil) == waits)
        }
        (view.priority, view.status) = ("normal", "waiting_user")
        _ = fixture.entry(.conversationUpdated, conversation: view)
        #expect(fixture.state.row(for: view.key)?.priority == nil)
        #expect(fixture.state.row(for: view.key)?.waiting == nil)
    }

    @Test func `If a colleague has just replied, the window asks for confirmation before it sends a reply`() {
        var fixture = fixture([InboxFixture.message("m", by: "user", account: "work")])
        fixture.receive(.editDraft("Try version 2"))
        _ = fixture.entry(.messageCreated, message: message("Known", by: "kim", at: 1))
        #expect(fixture.receive(.editDraft("Try version 2!")).calls.isEmpty)
        _ = fixture.entry(.messageCreated, message: message("Note", by: "ann", note: true, at: 2))
        var other = fixture
        #expect(other.receive(.send(key: "k")).calls.count == 1)
        _ = fixture.entry(.messageCreated, message: message("Use version 3", by: "ann", at: 3))
        #expect(try! tools(fixture).summary.contains("Ann replied (10:03)"))
        let asked = fixture.receive(.send(key: "k"))
        #expect(asked == [.askToSend("Ann replied while you had this conversation open (10:03).")])
        #expect(fixture.receive(.staff(.sendAndResolve(key: "k", resolution: "r"))) == asked)
        #expect(fixture.receive(.sendAnyway(key: "k")).calls.count == 1)
        fixture.receive(.editDraft("And more"))
        #expect(fixture.receive(.send(key: "l")).calls.count == 1)
        // A note needs no confirmation, because a note does not conflict with a colleague's reply.
        _ = fixture.entry(.messageCreated, message: message("Or 4", by: "ann", at: 4))
        fixture.receive(.staff(.write(.note)), .editDraft("For us"))
        #expect(fixture.receive(.send(key: "m")).calls.count == 1)
    }

    @Test func `A toast reports that a conversation was assigned to a colleague`() {
        var fixture = fixture([message("Hello", by: "ann")])
        var view = Self.view
        view.assignedAdminId = "ann"
        #expect(
            fixture.entry(.conversationUpdated, conversation: view).contains(.showToast("Assigned to Ann")))
        view.title = "Other"
        #expect(
            !fixture.entry(.conversationUpdated, conversation: view).contains(.showToast("Assigned to Ann")))
        view.assignedAdminId = "kim"
        let mine = fixture.entry(.conversationUpdated, conversation: view)
        #expect(mine.sideEffects.isEmpty)
    }

    @Test func `Resolving a conversation opens the next conversation and can be undone`() {
        var account = InboxFixture.account("work")
        account.kind = .staff
        let views = [
            InboxFixture.view("a", account: "work", status: "waiting_admin", at: 3),
            InboxFixture.view("b", account: "work", at: 2),
        ]
        var fixture = InboxFixture.filled(views, status: InboxFixture.status([account]))
        fixture.receive(.selectNeighbor(1))
        fixture.receive([], views[0])
        #expect(fixture.state.chosen == views[0].key)
        let resolved = fixture.receive(.staff(.resolve(key: "1")))
        #expect(
            resolved.calls.first
                == .change(
                    StaffChange(key: "1", conversation: views[0].key, action: .set(.status, "resolved")))
        )
        #expect(resolved.last == .offerUndo("Resolved: a"))
        #expect(fixture.state.chosen == views[1].key)
        let undone = fixture.receive(.staff(.undo(key: "2")))
        #expect(
            undone.calls.first
                == .change(
                    StaffChange(key: "2", conversation: views[0].key, action: .set(.status, "waiting_admin")))
        )
        #expect(fixture.state.chosen == views[0].key)
        #expect(fixture.receive(.staff(.undo(key: "3"))).isEmpty)
        fixture.receive(.selectNeighbor(1), .selectNeighbor(1))
        #expect(fixture.state.chosen == views[1].key)
        fixture.receive(.selectNeighbor(-1))
        #expect(fixture.state.chosen == views[0].key)
        var ended = views[0]
        ended.status = "closed"
        fixture.receive([], ended)
        _ = fixture.entry(.conversationUpdated, conversation: ended)
        #expect(
            fixture.receive(.staff(.resolve(key: "4"))).calls == [
                .change(StaffChange(key: "4", conversation: ended.key, action: .set(.status, "open")))
            ])
    }

    @Test func `Canned responses are found by title and text, and the user's name is filled in`() {
        var view = Self.view
        view.userName = "Ada"
        var fixture = fixture(view: view)
        func response(_ title: String, _ content: String) -> CannedResponseView {
            CannedResponseView(responseId: title, title: title, content: content)
        }
        let responses = [
            response("Hello", "Dear {{name}},\nthank you for {{thing}} and {{other}}."),
            response("Refund", "We say hello to your money."), response("Bye", "See you"),
        ]
        fixture.receive(.answered(.canned(account: "work"), .canned(responses)))
        #expect(fixture.state.cannedMatches(for: "").map(\.title) == ["Hello", "Refund", "Bye"])
        #expect(fixture.state.cannedMatches(for: "hel").map(\.title) == ["Hello", "Refund"])
        #expect(fixture.state.cannedMatches(for: "nothing").isEmpty)
        let match = fixture.state.cannedMatches(for: "hel")[0]
        #expect(match.text == "Dear Ada,\nthank you for {{thing}} and {{other}}.")
        #expect(match.firstPlaceholder == "{{thing}}")
        fixture.receive(.staff(.write(.note)))
        #expect(fixture.state.cannedMatches(for: "hel").isEmpty)
    }

    @Test func `The window shows details of the user and lists the user's other conversations`() throws {
        var account = InboxFixture.account("work")
        account.kind = .staff
        func view(_ id: String, user: String?, device: String? = nil, at minutes: Int64 = 0)
            -> ConversationView
        {
            var view = InboxFixture.view(id, account: "work", at: minutes)
            (view.userId, view.deviceId, view.userName, view.appName) = (user, device, "Ada\n", "Printer")
            return view
        }
        let views = [
            view("a", user: "ada", device: "d1"), view("b", user: "ada", at: 1), view("c", user: "bob"),
            view("d", user: nil, device: "d1", at: 2), view("e", user: nil, at: 3),
        ]
        var fixture = InboxFixture.filled(views, status: InboxFixture.status([account]))
        fixture.receive(.choose(views[0].key))
        fixture.receive([], views[0])
        let user = try tools(fixture).user
        #expect(user.facts.map(\.value).prefix(4) == ["Ada", "ada", "Printer", "d1"])
        #expect(user.otherConversations.map(\.title) == ["d", "b"])
    }

    @Test func `A conversation in a device account shows neither staff tools nor notes`() throws {
        let fixture = InboxFixture.looking(at: InboxFixture.view("a"), [])
        guard case .messages(let head) = fixture.state.threadView else { throw Missing() }
        #expect(head.staff == nil && head.mode == nil)
    }

    @Test func `Tags and canned responses are requested when a conversation is opened`() {
        var account = InboxFixture.account("work")
        account.kind = .staff
        var fixture = InboxFixture.filled([Self.view], status: InboxFixture.status([account]))
        fixture.receive(.choose(Self.view.key))
        let calls = fixture.receive([], Self.view).calls
        // The session is not requested here, because it was already requested when the status arrived.
        #expect(calls == [.tags(account: "work"), .canned(account: "work")])
    }

    @Test
    func `If a conversation is opened before the accounts are loaded, its tags are requested later`() {
        var account = InboxFixture.account("work")
        account.kind = .staff
        var fixture = InboxFixture()
        _ = fixture.entry(.snapshot)
        fixture.receive(.open(conversation: "a", account: "work", message: nil))
        fixture.receive([], Self.view)
        let calls = fixture.receive(.answered(.status, .status(InboxFixture.status([account])))).calls
        #expect(
            calls == [.session(account: "work"), .tags(account: "work"), .canned(account: "work")])
    }

    @Test(arguments: [
        StaffAction.assign(.me), .assign(.admin("lee")), .set(.status, "resolved"), .set(.priority, "urgent"),
        .set(.category, "bug"), .tag("printer"),
    ])
    func `A staff change is shown immediately, and is shown as pending if it cannot be sent`(
        work: StaffAction
    )
        throws
    {
        var fixture = fixture()
        #expect(fixture.receive(.staff(.change(work, key: "1"))).calls == [.change(change(work))])
        #expect(try tools(fixture).isDoneOrPending(work))
        #expect(fixture.receive(.staff(.change(work, key: "2"))).calls == [], "the change is being sent")
        fixture.receive(.answered(.change(change(work)), .changed(StaffReceipt(queued: true, outboxId: "1"))))
        #expect(try tools(fixture).isWaiting)
        #expect(try tools(fixture).summary.contains("queued"))
        #expect(fixture.state.outbox.map(\.text) == [work.label])
        #expect(fixture.state.row(for: Self.view.key)?.mark == .queued)
        // An empty outbox means that the change was sent, for example while the window was in the background.
        fixture.receive(.answered(.outbox, .outbox(.init(items: []))))
        #expect(try !tools(fixture).isWaiting)
    }

    @Test func `A staff change that is refused is reverted, and the reason is shown`() throws {
        var fixture = fixture()
        let work = StaffAction.set(.status, "closed")
        fixture.receive(.staff(.change(work, key: "1")))
        let actions = fixture.receive(.failed(.change(change(work)), .refused("No.")))
        #expect(actions.sideEffects == [.showToast("No.")])
        #expect(try tools(fixture).choices[.status]?.value == "open")
    }

    @Test
    func `A staff change is applied to its conversation, whether the response or the event arrives first`()
        throws
    {
        var changed = Self.view
        changed.status = "resolved"
        for isEntryFirst in [true, false] {
            var fixture = fixture()
            let work = StaffAction.set(.status, "resolved")
            fixture.receive(.staff(.change(work, key: "1")))
            let answer = Input.answered(.change(change(work)), .changed(StaffReceipt(queued: false)))
            if isEntryFirst { _ = fixture.entry(.conversationUpdated, conversation: changed) }
            fixture.receive(answer)
            #expect(try tools(fixture).choices[.status]?.value == "resolved")
            if !isEntryFirst { _ = fixture.entry(.conversationUpdated, conversation: changed) }
            #expect(fixture.state.outgoing.entries.isEmpty)
            changed.status = "open"
            _ = fixture.entry(.conversationUpdated, conversation: changed)
            #expect(try tools(fixture).choices[.status]?.value == "open")
            changed.status = "resolved"
        }
    }

    @Test func `A tag that is being removed looks different from a tag that is being added`() throws {
        var view = Self.view
        view.tags = [TagView(tagId: "t", conversationId: "a", tagName: "old")]
        var fixture = fixture(view: view)
        fixture.receive(
            .answered(
                .tags(account: "work"), .tags([.init(tagId: "u", conversationId: "b", tagName: "other")])))
        fixture.receive(.staff(.change(.untag("old"), key: "1")), .staff(.change(.tag("new"), key: "2")))
        let tags = try tools(fixture).tags
        #expect(tags.map(\.label.name) == ["old", "new"])
        #expect(tags.map(\.isBeingRemoved) == [true, false])
        #expect(try tools(fixture).otherTags == ["other"])
    }

    @Test func `The draft of a note is never sent as a reply`() throws {
        var fixture = fixture()
        fixture.receive(.editDraft("Dear user"), .staff(.write(.note)))
        #expect(!fixture.state.canSend, "a new note is empty")
        fixture.receive(.editDraft("They are rude"))
        let sent = fixture.receive(.send(key: "1"))
        let note = OutgoingMessage(
            key: "1", conversation: Self.view.key, message: "They are rude", reopens: false)
        #expect(sent.calls == [.note(note)])
        #expect(fixture.lines.last?.content.bubble?.isNote == true)
        fixture.receive(.staff(.write(.reply)))
        #expect(fixture.state.drafts[DraftKey(Self.view.key)] == "Dear user")
        #expect(
            fixture.receive(.send(key: "2")).calls.first.map { if case .send = $0 { true } else { false } }
                == true)
    }

    @Test func `A failed note is retried as a note, or becomes the draft of a note after it is cancelled`()
        throws
    {
        var fixture = fixture()
        fixture.receive(.staff(.write(.note)), .editDraft("Hush"))
        guard case .note(let note)? = fixture.receive(.send(key: "1")).calls.first else { throw Missing() }
        fixture.receive(.failed(.note(note), .unreachable))
        #expect(fixture.receive(.retry(outboxId: "1")).calls == [.note(note)])
        fixture.receive(.failed(.note(note), .unreachable), .cancel(outboxId: "1"))
        #expect(fixture.state.drafts[DraftKey(Self.view.key, .note)] == "Hush")
        #expect(fixture.state.drafts[DraftKey(Self.view.key, .reply)].isEmpty)
    }

    @Test func `A note in the outbox is shown as a note, even in a new window`() {
        var fixture = fixture()
        let item = OutboxItem(
            outboxId: "9", account: "work", kind: "note", conversationId: "a", text: "Hush", state: "waiting",
            attempts: 1, createdAt: InboxFixture.morning)
        let update = OutboxItem(
            outboxId: "8", account: "work", kind: "update", conversationId: "a", state: "waiting",
            attempts: 1, createdAt: InboxFixture.morning)
        fixture.receive(.answered(.outbox, .outbox(.init(items: [item, update]))))
        #expect(fixture.lines.compactMap(\.content.bubble).map(\.isNote) == [true])
        #expect(fixture.state.outbox.map(\.text) == ["Hush", "Conversation change"])
        // A reply with the same text must not confirm the note.
        _ = fixture.entry(.messageCreated, message: message("m", by: "kim"))
        #expect(fixture.state.outbox.count == 2)
    }

    @Test func `Adding a note to an ended conversation does not reopen the conversation`() throws {
        var fixture = fixture(view: InboxFixture.view("a", account: "work", status: "closed"))
        guard case .messages(let head) = fixture.state.threadView, case .ended = head.composer else {
            throw Missing()
        }
        fixture.receive(.staff(.write(.note)))
        guard case .messages(let now) = fixture.state.threadView, case .box = now.composer else {
            throw Missing()
        }
    }

    @Test func `A canned response appears in the conversation immediately and is sent only once`() {
        var fixture = fixture()
        let thanks = CannedResponseView(responseId: "r", title: "Thanks", content: "Hi {{name}}")
        let input = Input.staff(.respond(thanks, variables: ["name": "Ada"], text: "Hi Ada", key: "1"))
        let response = OutgoingResponse(
            key: "1", conversation: Self.view.key, responseId: "r", variables: ["name": "Ada"])
        #expect(fixture.receive(input).calls == [.respond(response)])
        #expect(fixture.receive(input).calls == [])
        #expect(fixture.lines.last?.sketch == "You: Hi Ada [sending]")
        fixture.receive(.answered(.respond(response), .sent(.init(queued: true, outboxId: "1"))))
        #expect(fixture.lines.last?.sketch == "You: Hi Ada [waiting]")
    }

    @Test func `A canned response that is inserted for editing is appended to the typed text`() {
        var fixture = fixture()
        fixture.receive(.editDraft("Hello"), .staff(.write(.note)), .staff(.draft("Hi Ada")))
        #expect(fixture.state.thread.mode == .reply)
        #expect(fixture.state.drafts[DraftKey(Self.view.key)] == "Hello\n\nHi Ada")
    }

    @Test func `The list of assignees contains colleagues who have replied`() throws {
        let fixture = fixture([message("m", by: "kim"), message("n", by: "lee", at: 1)])
        #expect(fixture.lines.map(\.sketch).suffix(2) == ["You: m", "Lee: n"])
        #expect(try tools(fixture).admins.map(\.name) == ["No One", "You", "Lee"])
    }
}

extension ThreadLine.Content {
    fileprivate var bubble: ThreadLine.Bubble? { if case .bubble(let bubble) = self { bubble } else { nil } }
}

/// Tests of the state machine of canned responses.
struct CannedTests {
    typealias State = CannedState

    private static let thanks = CannedResponseView(
        responseId: "r", title: "Thanks", content: "Hi {{name}}, {{ what }} and {{what}} are the same.")

    private func conversation(_ id: String = "c") -> ConversationView {
        var view = ConversationView(account: "work", conversationId: id, status: "open", badge: 0)
        view.userName = "Ada"
        return view
    }

    @Test func `Canned responses are requested for each conversation, and remain listed if a request fails`()
    {
        var state = State()
        #expect(state.handle(.show(nil)) == [])
        let call = State.Call(account: "work")
        #expect(state.handle(.show(conversation())) == [.call(call)])
        _ = state.handle(.answered(call, [Self.thanks]))
        #expect(state.handle(.show(conversation("d"))) == [.call(call)])
        _ = state.handle(.failed(call, .refused("No.")))
        #expect(state.list == .ready([Self.thanks]))
        _ = state.handle(.answered(.init(account: "other"), []))
        #expect(state.list == .ready([Self.thanks]))
    }

    @Test
    func `Each placeholder except the user's name must be filled in before a canned response can be sent`() {
        var state = State()
        _ = state.handle(.show(conversation()))
        _ = state.handle(.choose(Self.thanks))
        #expect(state.preview?.variables.map(\.name) == ["name", "what"])
        #expect(state.preview?.text == "Hi Ada, [what] and [what] are the same.")
        #expect(state.preview?.canSend == false)
        _ = state.handle(.set(variable: "what", "prices"))
        #expect(state.preview?.text == "Hi Ada, prices and prices are the same.")
        #expect(state.preview?.canSend == true)
        #expect(state.preview?.values == ["name": "Ada", "what": "prices"])
        _ = state.handle(.show(conversation("d")))
        #expect(state.preview == nil, "the response was filled in for another user")
    }

    @Test func `A canned response without variables can be sent unless it is empty`() {
        #expect(State.Preview(.init(responseId: "r", title: "", content: "Hello"), name: nil).canSend)
        #expect(!State.Preview(.init(responseId: "r", title: "", content: " "), name: nil).canSend)
        let braces = State.Preview(.init(responseId: "r", title: "", content: "{{a"), name: nil)
        #expect(braces.text == "{{a" && braces.canSend)
    }

    /// Covers a canned response with two placeholders, with and without a known user name. The user leaves
    /// each placeholder unchanged, fills it in, or makes it blank or empty.
    @Test func `A canned response can be sent only if all its placeholders are filled in`() throws {
        let names: [String?] = [nil, "Ada"]
        let inputs: [String?] = [nil, "filled", " ", ""]
        for (name, first, second) in names.flatMap({ name in
            inputs.flatMap { first in inputs.map { (name, first, $0) } }
        }) {
            var state = State()
            var view = conversation()
            view.userName = name
            _ = state.handle(.show(view))
            _ = state.handle(.choose(Self.thanks))
            #expect(!state.hasUnsavedText)
            for case (let variable, let value?) in [("name", first), ("what", second)] {
                _ = state.handle(.set(variable: variable, value))
            }
            let values = [first ?? name ?? "", second ?? ""]
            let preview = try #require(state.preview)
            let isFilled = values.allSatisfy { !$0.allSatisfy { $0 == " " } }
            #expect(preview.canSend == isFilled, "\(values)")
            #expect(preview.values == ["name": values[0], "what": values[1]], "\(values)")
            if isFilled { #expect(preview.text == "Hi \(values[0]), filled and filled are the same.") }
            let isChanged = values != [name ?? "", ""]
            #expect(!isChanged || state.hasUnsavedText, "\(values)")
            _ = state.handle(.back)
            #expect(!state.hasUnsavedText)
        }
    }

    @Test(arguments: [
        ("", "", false, false), (" ", "", false, true), ("Thanks", "", false, true),
        ("", "Hello", false, true),
        (" ", "Hello", false, true), ("Thanks", " ", false, true), ("Thanks", "Hello", true, true),
    ])
    func `A canned response needs a title and a text; a title or a text alone counts as unsaved input`(
        title: String, content: String, canAdd: Bool, hasUnsavedText: Bool
    ) {
        var state = State()
        for input: State.Input in [.compose(true), .title(title), .content(content)] {
            _ = state.handle(input)
        }
        #expect(state.canAdd == canAdd)
        #expect(state.hasUnsavedText == hasUnsavedText)
        _ = state.handle(.compose(false))
        #expect(!state.hasUnsavedText)
    }

    @Test func `A canned response without a title or without text cannot be added`() {
        var state = State()
        _ = state.handle(.compose(true))
        _ = state.handle(.title("Thanks"))
        #expect(!state.canAdd)
        _ = state.handle(.content("Thank you"))
        #expect(state.canAdd)
        _ = state.handle(.compose(true))
        #expect(state.title.isEmpty && state.content.isEmpty)
    }
}
