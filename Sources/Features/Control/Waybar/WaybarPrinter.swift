import ControlAPI
import ControlClient
import CutieAPI
import Runtime

/// Prints the line for Waybar whenever it changes.
struct WaybarPrinter {
    let session: Session
    let account: String?
    private var last: WaybarLine?

    init(session: Session, account: String?) {
        self.session = session
        self.account = account
    }

    /// Prints a line now and after each change, even while the daemon is not running.
    mutating func run() async throws {
        var delays = ReconnectDelays()
        while true {
            do {
                try await followDaemon { delays.reset() }
            } catch is DaemonUnavailable {}
            try print(.daemonGone)
            try await EventLoop.shared.sleep(for: delays.nextDelay())
        }
    }

    private mutating func print(_ line: WaybarLine) throws {
        guard line != last else { return }
        last = line
        try session.output.write(JSONLine.singleLineText(of: try JSON.encode(line)) + "\n")
    }

    private enum Activity { case entry, silence }

    /// The time without a reply after which the line `silent` is printed. Waybar hides a module that prints
    /// no line.
    private static let timeout = Duration.seconds(2)

    /// Prints lines until the daemon disconnects. Changes during an update are coalesced: a burst of replies
    /// causes a few lines, not thousands of calls.
    private mutating func followDaemon(onResponse: () -> Void) async throws {
        // The buffer has two elements: one for the coalesced changes, and one for the timeout, which a change
        // must not replace.
        let (changes, signal) = AsyncStream.makeStream(
            of: Activity.self, bufferingPolicy: .bufferingNewest(2))
        let session = session
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await Self.forwardLogEntries(from: session, to: signal) }
            group.addTask { await Self.sendActivity(.silence, to: signal, after: Self.timeout) }
            var hasSpoken = false
            for await change in changes {
                if change == .silence {
                    if !hasSpoken { try print(.silent) }
                    continue
                }
                hasSpoken = true
                let line = try await fetchCurrentLine()
                onResponse()
                try print(line)
                try await EventLoop.shared.sleep(for: .milliseconds(50))
            }
            group.cancelAll()
        }
    }

    /// Signals each log entry until the daemon disconnects.
    private static func forwardLogEntries(
        from session: Session, to signal: AsyncStream<Activity>.Continuation
    ) async throws {
        defer { signal.finish() }
        let daemon = session.daemon.withoutRetries
        try await session.mappingErrors {
            try await daemon.followReplies(to: Watch()) { _ in
                signal.yield(.entry)
                return .proceed
            }
        }
    }

    private static func sendActivity(
        _ activity: Activity, to signal: AsyncStream<Activity>.Continuation, after delay: Duration
    ) async {
        if (try? await EventLoop.shared.sleep(for: delay)) != nil { signal.yield(activity) }
    }

    private func fetchCurrentLine() async throws -> WaybarLine {
        let status = try await session.call(GetStatus()).reply.narrowed(to: account)
        var conversations: [ConversationView] = []
        if status.badge.total ?? 0 > 0 {
            let list = ListConversations(unread: true, limit: 10, account: account)
            conversations = try await session.call(list).reply.conversations.filter { $0.badge > 0 }
        }
        return WaybarLine(status, conversations: conversations, in: session.format())
    }
}
