import TestSupport
import Testing

/// Many threads with many replies, and the questions that every delivery must answer.
struct Correspondence {
    struct Sent {
        let id: String
        let conversation: String
        let text: String
    }

    let home: Household
    let conversations: [String]
    private(set) var sent: [Sent] = []

    init(of count: Int, in home: Household) async throws {
        self.home = home
        let device = try await home.device()
        var conversations: [String] = []
        for number in 0..<count { conversations.append(try await device.converse("Thread \(number)")) }
        self.conversations = conversations
    }

    /// Support writes `count` replies, to each thread in its turn.
    mutating func send(_ count: Int, through desk: SandboxFixture? = nil) async throws {
        for _ in 0..<count {
            let conversation = conversations[sent.count % conversations.count]
            let text = "Reply \(sent.count)"
            let id = try await (desk ?? home.sandbox).reply(text, in: conversation)
            sent.append(Sent(id: id, conversation: conversation, text: text))
        }
    }

    /// Waits until nothing waits to be announced.
    func announced() async throws {
        for message in sent {
            try await eventually("\(message.text) announced") {
                try await home.daemon.ledger(of: message.id).stages.contains("shown")
            }
        }
    }

    /// Every message is in the log once, and in its thread in the order in which support wrote. `inOrder` false:
    /// a thread is shown by dates, and the server's are wrong.
    func expectInLogOnce(inOrder: Bool = true) async throws {
        let logged = Dictionary(grouping: try await home.daemon.loggedMessages(), by: \.self)
        for message in sent where logged[message.id]?.count != 1 {
            Issue.record("\(message.text) is in the log \(logged[message.id]?.count ?? 0) times")
        }
        for conversation in conversations {
            let here = try await home.daemon.thread(conversation).messages.filter { $0.senderType != "user" }
            let written = sent.filter { $0.conversation == conversation }.map(\.text)
            let shown = here.map(\.message)
            #expect(inOrder ? shown == written : Set(shown) == Set(written))
        }
    }

    /// The ledger of every message tells of one pop-up.
    func expectShownOnce(attempts: ClosedRange<Int> = 1...1) async throws {
        for message in sent {
            let stages = try await home.daemon.ledger(of: message.id).stages
            if stages.filter({ $0 == "shown" }).count != 1
                || !attempts.contains(stages.filter { $0 == "announcing" }.count)
            {
                Issue.record("\(message.text): \(stages)")
            }
        }
    }

    /// The pop-ups on the screen stand for `count` replies.
    func expectOnScreen(_ count: Int) throws {
        let standing = try home.popups.standingFor.values.reduce(0, +)
        #expect(standing == count)
    }

    /// The badge is what the server counts.
    func expectBadgeOfServer() async throws {
        let badge = try await home.daemon.status().badge
        let server = try await home.device().totalUnread()
        #expect(badge.total == server)
        #expect(badge.unread == server)
        #expect(badge.conversations.values.reduce(0, +) == server)
    }
}

extension RecordingNotificationServer {
    /// How many replies each pop-up that is still on the screen says it stands for.
    var standingFor: [UInt32: Int] {
        let gone = Set(closeRequests)
        let live = notifications.filter { !gone.contains($0.id) }
        return Dictionary(live.map { ($0.id, $0.replyCount) }, uniquingKeysWith: { $1 })
    }
}

extension RecordingNotificationServer.Notification {
    var isDigest: Bool { summary.hasSuffix("unread reply") || summary.hasSuffix("unread replies") }

    /// "3 new replies", "12 unread replies"; one reply alone is its text.
    var replyCount: Int {
        let line = isDigest ? summary : body.split(separator: "\n").first.map(String.init) ?? ""
        let words = line.split(separator: " ")
        guard words.count == 3, ["new", "unread"].contains(words[1]) else { return 1 }
        return Int(words[0]) ?? 1
    }
}
