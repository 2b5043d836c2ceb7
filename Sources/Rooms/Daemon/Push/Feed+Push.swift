import CutieAPI
import Inbox
import Store

extension Feed {
    /// Takes what a push told of: one conversation, or what changed where it does not say which. By the usual
    /// way, so that nothing comes twice.
    func take(_ payload: PushPayload) async throws {
        guard let id = payload.conversation else { return try await takeState() }
        try await take(id)
    }
}
