import Domain
import EventLog
import Localization
import NotificationPolicy
import Reasons
import Store

extension Questions {
    /// Handles a click on an answer in a notification.
    func handleClick(on id: Int64, isAllowed allow: Bool) async {
        do {
            guard let account = try await answer(id, allow: allow) else { return }
            let name = try store.read { try $0.handedOverAccounts.fetchAll() }.first { $0.name == account }?
                .appName
            await showNotice(
                localized("{account} was added", ["account": name ?? account]),
                localized("Replies are now shown on this computer."))
        } catch ServiceError.notFound {
            // The question was already answered in the window or a terminal, so report nothing.
        } catch {
            await showNotice(
                localized("Your answer could not be applied"), Self.reason(of: error).localizedForNotification
            )
        }
    }

    /// Stops showing a question as a notification, because the user wants to answer in the window.
    func stopShowingNotification(of id: Int64) { postponed.insert(id) }

    /// Handles the end of a question's notification. If the user dismissed the notification, closes the
    /// question, so that it is not shown again.
    func handleClosedNotification(ofQuestion id: Int64, reason: CloseReason) throws {
        // Postpone a question about services instead of closing it: the click that closed the notification
        // may be reported later, or the user may want to choose the services in the window.
        if try findQuestion(id)?.servicesRequest != nil { stopShowingNotification(of: id) }
        guard !postponed.contains(id) else { return }
        if reason == .dismissed { try recordAnswer(of: id, .closed) }
        guard let record = try store.read({ try $0.questions.find(id) }),
            Question(record)?.isRequestedByUser == false
        else { return }
        // Schedule the question for another day, because the user did not request it.
        reevaluate()
    }

    /// Shows the result of an answer as a notification. Ignores a failure to show the notification.
    private func showNotice(_ summary: String, _ body: String) async {
        var notification = DesktopNotification.makeNotice(summary, body)
        notification.stackTag = "cutied-question-answered"
        await screen.showNotice(notification)
    }

    /// Returns the reason why the answer had no effect, as a message for the user.
    private static func reason(of error: any Error) -> Reason {
        switch error {
        case ServiceError.offline(let reason, _): Reason(.offline, because: reason)
        case ServiceError.serverError(let status, let reason):
            Reason(.apiAnswered, ["status": String(status)], because: reason)
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
