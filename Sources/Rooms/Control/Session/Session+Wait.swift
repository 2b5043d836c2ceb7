import ControlAPI
import Threads

/// What `wait` waits for.
struct Awaited: Sendable {
    var connected: Bool
    var account: String?
    /// A daemon that does not run is waited for, too.
    var mayStart = true

    func isMet(by status: GetStatus.Reply) throws -> Bool {
        let state = try status.narrowed(to: account).state
        return !connected || state == .connected
    }
}

extension Session {
    /// A daemon that is there answers at once; one that hangs would take as long as for any verb.
    private static let lookLimit: Duration = .seconds(2)

    /// Waits until the daemon is as `awaited`. Throws a `Complaint` when the time is over; without any, it looks
    /// once, for at most 2 s.
    func wait(for awaited: Awaited, within limit: TimeSpan?) async throws -> Answer<GetStatus.Reply> {
        let daemon = daemon.impatient
        guard let limit else { return try await daemon.wait(for: awaited) }
        guard limit.seconds > 0 else {
            return try await answer(within: Self.lookLimit, else: awaited.missed()) {
                try await daemon.look(for: awaited)
            }
        }
        return try await answer(within: .seconds(limit.seconds), else: awaited.missed(after: limit)) {
            try await daemon.wait(for: awaited)
        }
    }

    private func answer<Reply>(
        within limit: Duration, else complaint: Complaint,
        _ body: @escaping @Sendable () async throws -> Answer<Reply>
    ) async throws -> Answer<Reply> {
        try await withThrowingTaskGroup { group in
            group.addTask { try await body() }
            group.addTask {
                try await EventLoop.shared.sleep(for: limit)
                throw complaint
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

extension Awaited {
    /// Without a time: it was not waited for.
    fileprivate func missed(after limit: TimeSpan? = nil) -> Complaint {
        let time = limit.map { " after \($0.seconds) s" } ?? ""
        return Complaint(
            .failed, "the daemon is not \(connected ? "connected" : "up")\(time)",
            advice: "look at `cutied ctl status`")
    }
}

extension DaemonClient {
    /// Throws a `Complaint` where it is not so now.
    fileprivate func look(for awaited: Awaited) async throws -> Answer<GetStatus.Reply> {
        do {
            let answer = try await call(GetStatus())
            if try awaited.isMet(by: answer.reply) { return answer }
        } catch is DaemonGone {}
        throw awaited.missed()
    }

    /// For ever, while it may start: looks at the state whenever the log tells of a change.
    fileprivate func wait(for awaited: Awaited) async throws -> Answer<GetStatus.Reply> {
        var delays = ReconnectDelays()
        while true {
            do {
                if let answer = try await lookOut(for: awaited) { return answer }
            } catch let gone as DaemonGone {
                if gone.cause == .notRunning, !awaited.mayStart { throw awaited.missed() }
            }
            try await EventLoop.shared.sleep(for: delays.next())
        }
    }

    private func lookOut(for awaited: Awaited) async throws -> Answer<GetStatus.Reply>? {
        var found: Answer<GetStatus.Reply>?
        // The snapshot comes first, so a state from before the watch began is seen as well.
        try await follow(Watch()) { entry in
            guard entry.reply.type == "snapshot" || entry.reply.type == "state" else { return .goOn }
            let answer = try await call(GetStatus())
            guard try awaited.isMet(by: answer.reply) else { return .goOn }
            found = answer
            return .enough
        }
        return found
    }
}
