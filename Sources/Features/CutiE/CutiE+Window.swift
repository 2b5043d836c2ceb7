import AccessAPI
import Runtime

// MARK: - The window of cutied, for apps without their own user interface for conversations

extension CutiE {
    /// Shows a conversation of the app, or all its conversations, in the window of cutied. Returns
    /// immediately; errors are written to standard error. Does nothing if the app is not configured.
    public func showInbox(conversationId: String? = nil) {
        guard isConfigured else { return }
        session.inBackground { [session] in
            _ = try await session.ask(OpenInbox(conversation: conversationId))
        }
    }

    /// Shows the form for a new conversation in the window of cutied. Returns immediately; errors are written
    /// to standard error. Does nothing if the app is not configured.
    ///
    /// - Parameter onSuccess: called once, on a background thread, with the ID of the next conversation that
    ///   the user starts. The next call of this method replaces the closure.
    public func showFeedback(onSuccess: ((String) -> Void)? = nil) {
        guard isConfigured else { return }
        nonisolated(unsafe) let onSuccess = onSuccess
        forms.follow {
            do {
                let known = Set(try await self.getConversations().map(\.id))
                var entries = WatchEntries(self.session, since: try await self.session.head())
                _ = try await self.session.ask(OpenForm())
                guard let onSuccess else { return }
                while true {
                    let entry = try await entries.next()
                    guard let id = entry.conversation, !known.contains(id) else { continue }
                    return onSuccess(id)
                }
            } catch is CancellationError {
                // A later call of `showFeedback` has cancelled this task.
            } catch { AppSession.log("the form could not be shown: \(error)") }
        }
    }
}

/// The task that waits for the conversation that the user starts in the form. A new task cancels the previous
/// task.
final class FormFollower: Sendable {
    private let task = Locked<Task<Void, Never>?>(nil)

    func follow(_ body: @escaping @Sendable () async -> Void) {
        task.withLock {
            $0?.cancel()
            $0 = Task { await body() }
        }
    }
}
