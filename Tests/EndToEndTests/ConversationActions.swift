import TestSupport
import Testing

/// Several conversations with many replies. The methods check that all replies were delivered.
struct ConversationActions {
    struct Sent {
        let id: String
        let conversation: String
        let text: String
    }

    let fixture: EndToEndFixture
    let conversations: [String]
    private(set) var sent: [Sent] = []

    init(of count: Int, in fixture: EndToEndFixture) async throws {
        self.fixture = fixture
        let device = try await fixture.makeDevice()
        var conversations: [String] = []
        for number in 0..<count {
            conversations.append(try await device.startConversation("Thread \(number)"))
        }
        self.conversations = conversations
    }

    /// Sends `count` replies in total as support, cycling through the conversations.
    mutating func send(_ count: Int, through desk: SandboxFixture? = nil) async throws {
        for _ in 0..<count {
            let conversation = conversations[sent.count % conversations.count]
            let text = "Reply \(sent.count)"
            let id = try await (desk ?? fixture.sandbox).reply(text, in: conversation)
            sent.append(Sent(id: id, conversation: conversation, text: text))
        }
    }

    /// Waits until all sent replies have been shown.
    func announced() async throws {
        for message in sent {
            try await eventually("\(message.text) announced") {
                try await fixture.daemon.fetchLedger(of: message.id).stages.contains("shown")
            }
        }
    }

    /// Checks that each reply is in the event log exactly once and that each conversation contains its
    /// replies in order.
    ///
    /// - Parameter inOrder: whether to check the order; `false` if the server's clock is wrong, because
    ///   conversations are sorted by date.
    func expectInLogOnce(inOrder: Bool = true) async throws {
        let logged = Dictionary(grouping: try await fixture.daemon.fetchLoggedMessages(), by: \.self)
        for message in sent where logged[message.id]?.count != 1 {
            Issue.record("\(message.text) is in the log \(logged[message.id]?.count ?? 0) times")
        }
        for conversation in conversations {
            let here = try await fixture.daemon.fetchThread(conversation).messages.filter {
                $0.senderType != "user"
            }
            let written = sent.filter { $0.conversation == conversation }.map(\.text)
            let shown = here.map(\.message)
            #expect(inOrder ? shown == written : Set(shown) == Set(written))
        }
    }

    /// Checks in the ledger that each reply was shown exactly once.
    func expectShownOnce(attempts: ClosedRange<Int> = 1...1) async throws {
        for message in sent {
            let stages = try await fixture.daemon.fetchLedger(of: message.id).stages
            if stages.filter({ $0 == "shown" }).count != 1
                || !attempts.contains(stages.filter { $0 == "announcing" }.count)
            {
                Issue.record("\(message.text): \(stages)")
            }
        }
    }

    /// Checks that the open notifications represent `count` replies in total.
    func expectOnScreen(_ count: Int) throws {
        let standing = try fixture.notificationServer.standingFor.values.reduce(0, +)
        #expect(standing == count)
    }

    /// Checks that the badge equals the server's unread count.
    func expectBadgeOfServer() async throws {
        let badge = try await fixture.daemon.fetchStatus().badge
        let server = try await fixture.makeDevice().fetchTotalUnread()
        #expect(badge.total == server)
        #expect(badge.unread == server)
        #expect(badge.conversations.values.reduce(0, +) == server)
    }
}

extension RecordingNotificationServer {
    /// The number of replies that each open notification represents. The keys are notification IDs.
    var standingFor: [UInt32: Int] {
        let gone = Set(closeRequests)
        let live = notifications.filter { !gone.contains($0.id) }
        return Dictionary(live.map { ($0.id, $0.replyCount) }, uniquingKeysWith: { $1 })
    }
}

extension RecordingNotificationServer.Notification {
    var isDigest: Bool { summary.hasSuffix("unread reply") || summary.hasSuffix("unread replies") }

    /// The number in "3 new replies" or "12 unread replies"; 1 if the notification shows the text of one
    /// reply.
    var replyCount: Int {
        let line = isDigest ? summary : body.split(separator: "\n").first.map(String.init) ?? ""
        let words = line.split(separator: " ")
        guard words.count == 3, ["new", "unread"].contains(words[1]) else { return 1 }
        return Int(words[0]) ?? 1
    }
}
