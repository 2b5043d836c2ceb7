import AccessAPI
import Domain
import Reasons

/// The requests that wait for the user's answer, at most one per app. Identical requests from an app share
/// the reply.
@MainActor final class PendingRequests {
    private typealias Outcome = Result<any Sendable, any Error>

    private struct Entry {
        let app: AppIdentity
        let request: [UInt8]
        var waiting: [AsyncStream<Outcome>.Continuation] = []
    }

    private let limits: AccessLimits
    private var entries: [Entry] = []

    init(_ limits: AccessLimits) { self.limits = limits }

    /// Returns the result of `body`, which all callers with the same request share. Throws if the app has
    /// another pending request, or there are too many requests. `request`: the complete encoded request.
    func performOnce<Reply: Sendable>(
        _ request: [UInt8], from app: AppIdentity, _ body: () async throws -> Reply
    ) async throws -> Reply {
        if let index = entries.firstIndex(where: { $0.app == app && $0.request == request }) {
            return try await waitForSharedResult(ofRequestAt: index)
        }
        try checkCapacity(for: app)
        entries.append(Entry(app: app, request: request))
        do {
            let reply = try await body()
            finishRequest(request, from: app, with: .success(reply))
            return reply
        } catch {
            finishRequest(request, from: app, with: .failure(error))
            throw error
        }
    }

    private func checkCapacity(for app: AppIdentity) throws(TooManyRequests) {
        // All apps that cannot be distinguished count as one app, so that an app cannot evade the limit by
        // restarting.
        guard !entries.contains(where: { $0.app == app || !$0.app.isPersistent && !app.isPersistent }) else {
            throw TooManyRequests(reason: "").withReason(Reason(.requestOpen))
        }
        guard entries.count < limits.questions else {
            throw TooManyRequests(reason: "").withReason(Reason(.tooManyRequests))
        }
    }

    private func waitForSharedResult<Reply: Sendable>(ofRequestAt index: Int) async throws -> Reply {
        guard entries[index].waiting.count < limits.waiting else {
            throw TooManyRequests(reason: "").withReason(Reason(.tooManyCallers))
        }
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        entries[index].waiting.append(continuation)
        for await outcome in outcomes {
            if let reply = try outcome.get() as? Reply { return reply }
        }
        throw CancellationError()
    }

    private func finishRequest(_ request: [UInt8], from app: AppIdentity, with outcome: Outcome) {
        guard let index = entries.firstIndex(where: { $0.app == app && $0.request == request }) else {
            return
        }
        for continuation in entries.remove(at: index).waiting {
            continuation.yield(outcome)
            continuation.finish()
        }
    }
}
