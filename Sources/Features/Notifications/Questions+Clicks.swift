import Domain
import EventLog
import Localization
import NotificationPolicy
import Reasons
import Store

extension Questions {
    /// Applies the answer that the user clicked in a notification, and notifies the user of an added account
    /// or a failure.
    func handleClick(onQuestion id: Int64, isAllowed: Bool) async {
        do {
            guard let account = try await answerQuestion(id, isAllowed: isAllowed) else { return }
            let name = try store.read { try $0.handedOverAccounts.fetchAll() }.first { $0.name == account }?
                .appName
            await showNotice(
                summary: localized("{account} was added", ["account": name ?? account]),
                body: localized("Replies are now shown on this computer."))
        } catch ServiceError.notFound {
            // The question was already answered in the window or a terminal, so report nothing.
        } catch {
            await showNotice(
                summary: localized("Your answer could not be applied"),
                body: Self.makeReason(for: error).localizedForNotification
            )
        }
    }

    /// Stops showing a question as a notification, because the user wants to answer in the window.
    func stopShowingNotification(ofQuestion id: Int64) { postponed.insert(id) }

    /// Handles the closing of a question's notification. If the user dismissed the notification, closes the
    /// question, so that it is not shown again. A question about services is postponed instead.
    func handleClosedNotification(ofQuestion id: Int64, reason: CloseReason) throws {
        // Postpone a question about services instead of closing it: the click that closed the notification
        // may be reported later, or the user may want to choose the services in the window.
        if try findQuestion(id)?.servicesRequest != nil { stopShowingNotification(ofQuestion: id) }
        guard !postponed.contains(id) else { return }
        if reason == .dismissed { try recordAnswer(toQuestion: id, answer: .closed) }
        guard let record = try store.read({ try $0.questions.find(id) }),
            Question(record)?.isRequestedByUser == false
        else { return }
        // Questions that the user did not request are asked again on a later day, so compute the time of the
        // next question.
        requestReevaluation()
    }

    /// Shows the result of an answer as a notification. Ignores a failure to show the notification.
    private func showNotice(summary: String, body: String) async {
        var notification = DesktopNotification.makeNotice(summary: summary, body: body)
        notification.stackTag = "cutied-question-answered"
        await screen.showNotice(notification)
    }

    /// Returns the reason why the answer had no effect, as a message for the user.
    private static func makeReason(for error: any Error) -> Reason {
        switch error {
        case ServiceError.offline(let reason, _): Reason(.offline, because: reason)
        case ServiceError.serverError(_, let reason): Reason(.apiReportedError, because: reason)
        case ServiceError.refused(_, _, let reason): Reason(.apiRefusedIt, because: reason)
        case ServiceError.invalidArgument(_, let reason), ServiceError.notAuthorized(let reason),
            ServiceError.invalidResponse(let reason, _), ServiceError.presenceRequired(let reason),
            ServiceError.failed(let reason):
            reason
        case ServiceError.notFound: Reason(.accountGone)
        default: Reason(describing: error)
        }
    }
}
