import Config
import CutieAPI
import FeedPolicy
import Testing

struct PerspectiveTests {
    private static let me = "adm_me"

    private func staff(_ notify: Set<AccountConfiguration.NotificationScope> = [.mine, .unassigned])
        -> Perspective
    {
        .staff(.init(adminID: Self.me, notify: notify))
    }

    private func message(
        _ sender: SenderType, by id: String? = nil, isNote: Bool = false, _ name: String = "m"
    ) -> Message {
        Message(
            id: Message.ID(name), conversation: "c", senderType: sender, senderID: id, text: "words",
            isInternalNote: isNote, createdAt: Timestamp(milliseconds: 1))
    }

    private func conversation(assignedTo admin: String?) -> Conversation {
        var conversation = Conversation(id: "c")
        conversation.assignedAdminID = admin
        return conversation
    }

    @Test(
        arguments: [
            ("a user's", SenderType.user, "u", false, [false, true, false, false]),
            ("one's own", .admin, me, false, [true, false, true, true]),
            ("a colleague's", .admin, "adm_kim", false, [false, false, true, true]),
            ("an admin's without an id", .admin, nil, false, [false, false, true, true]),
            ("the system's", .system, nil, false, [false, false, true, false]),
            ("one's own note", .admin, me, true, [true, false, false, false]),
            ("a colleague's note", .admin, "adm_kim", true, [false, false, false, false]),
        ] as [(String, SenderType, String?, Bool, [Bool])])
    func `In a staff account, a message is classified by its sender`(
        whose: String, sender: SenderType, id: String?, isNote: Bool, expected: [Bool]
    ) {
        let (staff, message) = (staff(), message(sender, by: id, isNote: isNote))
        let found = [
            staff.isOwnMessage(message), staff.isReply(message), staff.isFromOwnSide(message),
            staff.isAnswer(message),
        ]
        #expect(found == expected, "\(whose)")
        #expect(!staff.hides(message))
        #expect(staff.isNote(message) == isNote)
    }

    @Test(arguments: [
        ("an admin's", SenderType.admin, false, [false, true, false, false]),
        ("the system's", .system, false, [false, true, false, false]),
        ("one's own", .user, false, [true, false, true, false]),
        ("a note", .admin, true, [false, false, false, false]),
    ])
    func `In a device account, a message is classified by its sender`(
        whose: String, sender: SenderType, isNote: Bool, expected: [Bool]
    ) {
        let (person, message) = (Perspective.user, message(sender, isNote: isNote))
        let found = [
            person.isOwnMessage(message), person.isReply(message), person.isFromOwnSide(message),
            person.isAnswer(message),
        ]
        #expect(found == expected, "\(whose)")
        #expect(person.hides(message) == isNote)
    }

    @Test(
        arguments: [
            ([.mine], [true, false, false]), ([.unassigned], [false, true, false]),
            ([.mine, .unassigned], [true, true, false]), ([.all], [true, true, true]),
            ([], [false, false, false]),
        ] as [(Set<AccountConfiguration.NotificationScope>, [Bool])])
    func `Support staff are notified of the conversations that the setting notify selects`(
        notify: Set<AccountConfiguration.NotificationScope>, expected: [Bool]
    ) {
        let conversations = [Self.me, nil, "adm_kim"].map(conversation(assignedTo:))
        #expect(conversations.map(staff(notify).isSubscribed) == expected)
        #expect(conversations.allSatisfy(Perspective.user.isSubscribed))
    }

    @Test func `No message counts as sent by the signed-in user if no user is signed in`() {
        let stranger = Perspective.staff(.init(adminID: nil, notify: [.mine]))
        #expect(!stranger.isOwnMessage(message(.admin)))
        #expect(!stranger.isSubscribed(to: conversation(assignedTo: nil)))
        #expect(!stranger.canAssignToSelf(conversation(assignedTo: nil)))
    }

    @Test
    func `Colleagues' conversations can be assigned to the signed-in user, but not to a machine account`() {
        let conversations = [Self.me, nil, "adm_kim"].map(conversation(assignedTo:))
        #expect(conversations.map(staff().canAssignToSelf) == [false, true, true])
        let machine = Perspective.staff(.init(adminID: Self.me, isPerson: false, notify: [.all]))
        #expect(!conversations.contains(where: machine.canAssignToSelf))
        #expect(!conversations.contains(where: Perspective.user.canAssignToSelf))
    }

    @Test
    func `In a staff account, messages after the last reply are unanswered, and notes are not replies`() {
        let thread = [
            message(.user, "1"), message(.admin, by: "adm_kim", "2"), message(.user, "3"),
            message(.admin, by: Self.me, isNote: true, "4"), message(.system, "5"), message(.user, "6"),
        ]
        #expect(staff().unansweredMessages(in: thread).map(\.id) == ["3", "6"])
        #expect(staff().unansweredMessages(in: Array(thread.prefix(2))).isEmpty)
        // From the user's perspective, only a message from the user counts as an answer.
        #expect(Perspective.user.unansweredMessages(in: thread).map(\.id) == ["2", "5"])
    }
}
