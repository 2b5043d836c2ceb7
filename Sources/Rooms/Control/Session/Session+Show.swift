import ControlAPI

extension Session {
    /// Prints a thread and, for a person, what of their own words is not sent yet: they would seem lost.
    func show(_ call: GetConversation) async throws {
        let conversation = try await answer(call).conversation
        if json { return }
        let outbox = try await daemon.call(ListOutbox(account: conversation.account)).reply
        let page = page()
        for item in outbox.items where item.conversationId == conversation.conversationId {
            try output.write(item.paragraph(on: page))
        }
        if let remark = outbox.remark {
            try? remarks.write("cutied: of what is not sent yet \(remark)\n")
        }
    }
}
