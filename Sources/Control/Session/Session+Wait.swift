import ControlAPI
import Threads

/// What `wait` waits for.
struct Awaited: Sendable {
    var connected: Bool
    var account: String?

    func isMet(by status: GetStatus.Reply) throws -> Bool {
        let state = try status.narrowed(to: account).state
        return !connected || state == .connected
    }
}

extension Session {
    /// Waits until the daemon is as `awaited`. Throws a `Complaint` when the time is over; without any, it looks
    /// once, however long that takes.
    func wait(for awaited: Awaited, within limit: TimeSpan?) async throws -> Answer<GetStatus.Reply> {
        let daemon = daemon.impatient
        guard let limit else { return try await daemon.wait(for: awaited) }
        guard limit.seconds > 0 else {
            guard let answer = try await daemon.look(for: awaited) else { throw awaited.missed(after: limit) }
            return answer
        }
        return try await withThrowingTaskGroup { group in
            group.addTask { try await daemon.wait(for: awaited) }
            group.addTask {
                try await EventLoop.shared.sleep(for: .seconds(limit.seconds))
                throw awaited.missed(after: limit)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

extension Awaited {
    fileprivate func missed(after limit: TimeSpan) -> Complaint {
        Complaint(
            .failed, "the daemon is not \(connected ? "connected" : "up") after \(limit.seconds) s",
            advice: "look at `cutied ctl status`")
    }
}

extension DaemonClient {
    /// nil where it is not so now.
    fileprivate func look(for awaited: Awaited) async throws -> Answer<GetStatus.Reply>? {
        do {
            let answer = try await call(GetStatus())
            return try awaited.isMet(by: answer.reply) ? answer : nil
        } catch is DaemonGone { return nil }
    }

    /// For ever: looks at the state whenever the log tells of a change.
    fileprivate func wait(for awaited: Awaited) async throws -> Answer<GetStatus.Reply> {
        var delays = ReconnectDelays()
        while true {
            do {
                if let answer = try await lookOut(for: awaited) { return answer }
            } catch is DaemonGone {}
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
