import ControlAPI
import ControlClient
import CutieAPI
import Localization
import Platform
import Reasons

/// The command `cutied open --reply`, which shows the unanswered messages and sends the reply. The text is
/// never lost: it is sent, queued in the outbox, or saved to a file whose path is shown.
struct ReplyComposer: Sendable {
    let session: Session
    let thread: GetConversation.Reply
    let environment: [String: String]

    private var conversation: ConversationView { thread.conversation }

    /// Prints the conversation in this terminal, and reads and sends the reply that the user types.
    func composeInTerminal() async throws -> Outcome {
        let format = session.format()
        // Print only the newest messages, because a long conversation does not fit on the screen.
        let shown = thread.messages.suffix(max(10, thread.unanswered.count))
        try session.output.write(
            thread.headerText(in: format) + shown.map { "\n" + $0.paragraph(in: format) }.joined() + "\n")
        await session.markDisplayedMessagesAsRead(in: thread)
        if let notice = conversation.endNotice { try session.output.write(notice + "\n") }
        try session.output.write(localized("Write your reply, then press Ctrl-D on an empty line.") + "\n")
        let written = try session.standardInput(MessageArgument.limit + 1)
        return try await sendReply(String(decoding: written, as: UTF8.self)) { question in
            try session.output.write(question + " [y/n] ")
            return readLine().map { $0.lowercased().hasPrefix("y") } ?? false
        }
    }

    /// Asks the user for the reply in a desktop dialog, and sends the reply. Errors are also shown in a
    /// dialog.
    func compose(in dialog: DesktopDialog) async throws -> Outcome {
        let written = try await dialog.composeReply(using: ReplyForm(thread)) { [session, thread] in
            await session.markDisplayedMessagesAsRead(in: thread)
        }
        guard let written else { return .nothing }
        let outcome = try await sendReply(written) {
            await dialog.askForConfirmation(question: $0, confirmLabel: localized("Send"))
        }
        if case .savedAsDraft(let sentence) = outcome { await dialog.showError(sentence) }
        return outcome
    }

    enum Outcome: Hashable, Sendable {
        /// The user wrote no text.
        case nothing
        case sent
        /// The reply is accepted, and sent as soon as possible.
        case queued
        /// The reply was not sent. The value is a message with the reason and the location of the saved
        /// reply.
        case savedAsDraft(String)
    }

    /// Sends the reply. If the reply cannot be sent, saves it as a draft.
    ///
    /// - Parameter confirmReopening: asks whether to send the reply although the conversation ended while the
    ///   user wrote.
    private func sendReply(_ writtenText: String, confirmReopening: (String) async throws -> Bool)
        async throws
        -> Outcome
    {
        guard let end = writtenText.lastIndex(where: { !$0.isWhitespace }) else { return .nothing }
        let text = String(writtenText[...end])
        do {
            guard text.utf8.count <= MessageArgument.limit else {
                throw CommandError(.badData, Reason(.textTooLong))
            }
            do {
                return try await send(text, reopensConversation: conversation.hasEnded)
            } catch let closed as Closed {
                let question = ConversationView.makeReopeningQuestion(status: closed.status)
                if try await confirmReopening(question) {
                    return try await send(text, reopensConversation: true)
                }
                throw CommandError(
                    .badData,
                    Reason(
                        closed.status == Status.resolved.rawValue
                            ? .conversationResolved : .conversationClosed))
            }
        } catch {
            return .savedAsDraft(try saveDraftReturningMessage(text, after: error))
        }
    }

    private func send(_ text: String, reopensConversation: Bool) async throws -> Outcome {
        let reply = try await session.daemon.call(
            SendMessage(
                conversation: conversation.conversationId, message: text,
                reopen: reopensConversation ? true : nil,
                account: conversation.account)
        ).reply
        // Mark the messages as read even if the configuration does not mark displayed messages as read,
        // because a user who replies has read them.
        _ = try? await session.daemon.call(
            MarkRead(
                conversation: conversation.conversationId, upTo: thread.messages.last?.messageId,
                account: conversation.account))
        return reply.queued ? .queued : .sent
    }

    private func saveDraftReturningMessage(_ text: String, after error: any Error) throws -> String {
        let known = CommandError(error) ?? CommandError(.failed, "\(error)")
        // After `NotSent`, the text is in the outbox, so no draft is needed.
        if let fault = error as? NotSent { return fault.textForUser }
        let file = try ReplyDraft.saveDraft(text, environment: environment, now: session.format().now)
        return localized(
            "Your reply was not sent: {reason}.\nYour text is saved in {file}.",
            ["reason": known.localizedSentence, "file": file])
    }
}

extension NotSent {
    /// The error as two sentences, for a user without a terminal.
    fileprivate var textForUser: String {
        let code: Reason.Code = waiting == true ? .thisWasNotSentYet : .thisWasNotSent
        return [Reason(code, because: reasonValue), advice]
            .map { SentenceText.makeSentence(from: TerminalText.singleLine($0.localized)) }.joined(
                separator: "\n")
    }
}

/// A reply that could not be sent, saved to a file so that the user need not type it again.
enum ReplyDraft {
    /// Saves the text in a file under the state directory and returns the path of the file.
    ///
    /// - Throws: `SystemFailure` if the file cannot be written.
    static func saveDraft(_ text: String, environment: [String: String], now: Int64) throws -> String {
        let directory = try PrivateDirectory(
            making: Paths(environment: environment).stateDirectory + "/drafts")
        let file = directory.path + "/reply-\(now).txt"
        try SmallFile.replace(file, with: Array((text + "\n").utf8))
        return file
    }
}
