import ControlAPI
import ControlClient
import CutieAPI
import Threads

/// Prints Waybar's line when it differs from the one before.
struct WaybarPrinter {
    let session: Session
    let account: String?
    private var last: WaybarLine?

    init(session: Session, account: String?) {
        self.session = session
        self.account = account
    }

    /// Prints a line now and at each change, also while there is no daemon.
    mutating func run() async throws {
        var delays = ReconnectDelays()
        while true {
            do {
                try await followDaemon { delays.reset() }
            } catch is DaemonGone {}
            try print(.daemonGone)
            try await EventLoop.shared.sleep(for: delays.next())
        }
    }

    private mutating func print(_ line: WaybarLine) throws {
        guard line != last else { return }
        last = line
        try session.output.write(JSONLine.text(try JSON.encode(line)) + "\n")
    }

    private enum Change { case entry, silence }

    /// A bar that shows nothing looks like one without the module.
    private static let patience = Duration.seconds(2)

    /// Until the daemon goes. What comes while a line is made is one change: a burst of replies is
    /// a few lines and not thousands of calls.
    private mutating func followDaemon(_ answered: () -> Void) async throws {
        // Room for a change beside the one end of patience, which must not push it out.
        let (changes, signal) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(2))
        let session = session
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await Self.signalEntries(of: session, to: signal) }
            group.addTask { await Self.signal(.silence, to: signal, after: Self.patience) }
            var hasSpoken = false
            for await change in changes {
                if change == .silence {
                    if !hasSpoken { try print(.silent) }
                    continue
                }
                hasSpoken = true
                let line = try await currentLine()
                answered()
                try print(line)
                try await EventLoop.shared.sleep(for: .milliseconds(50))
            }
            group.cancelAll()
        }
    }

    /// Tells of each entry of the log, until the daemon goes.
    private static func signalEntries(
        of session: Session, to signal: AsyncStream<Change>.Continuation
    ) async throws {
        defer { signal.finish() }
        let daemon = session.daemon.impatient
        try await session.inWords {
            try await daemon.follow(Watch()) { _ in
                signal.yield(.entry)
                return .goOn
            }
        }
    }

    private static func signal(
        _ change: Change, to signal: AsyncStream<Change>.Continuation, after delay: Duration
    ) async {
        if (try? await EventLoop.shared.sleep(for: delay)) != nil { signal.yield(change) }
    }

    private func currentLine() async throws -> WaybarLine {
        let status = try await session.call(GetStatus()).reply.narrowed(to: account)
        var conversations: [ConversationView] = []
        if status.badge.total ?? 0 > 0 {
            let list = ListConversations(unread: true, limit: 10, account: account)
            conversations = try await session.call(list).reply.conversations.filter { $0.badge > 0 }
        }
        return WaybarLine(status, conversations: conversations, in: session.format())
    }
}
