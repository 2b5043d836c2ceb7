import ControlAPI
import ControlClient
import Gtk
import InboxModel

/// Reports to the daemon that a window of the program is in front and shows the questions, so that the daemon
/// does not repeat the questions in notifications.
final class QuestionAttendance: Viewer {
    private let application: Application
    private let controller: InboxController
    /// The call that suppresses the notifications until it ends; `nil` while no window is in front.
    private var task: Task<Void, Never>?
    private var endTimer: Timer?

    /// The time without a focused window after which the call ends. The call does not end immediately,
    /// because the focus may be moving to another window of the program.
    private static let focusGrace: Duration = .milliseconds(300)

    init(of application: Application, controller: InboxController) {
        (self.application, self.controller) = (application, controller)
        application.onFocusChange { [unowned self] in updateNotificationSuppression() }
    }

    func render(_: InboxState) { updateNotificationSuppression() }

    private func updateNotificationSuppression() {
        guard controller.state.displaysQuestions else { return stopSuppressingNotifications() }
        if application.isInFront {
            endTimer = nil
            startSuppressingNotifications()
        } else if task != nil, endTimer?.isPending != true {
            endTimer = Timer(after: Self.focusGrace) { [unowned self] in
                if !application.isInFront { stopSuppressingNotifications() }
            }
        }
    }

    private func startSuppressingNotifications() {
        guard task == nil else { return }
        let daemon = controller.daemon
        task = Task {
            // Failures are ignored: the only effect is that a notification repeats the question.
            _ = try? await daemon.withoutRetries.followReplies(to: AttendQuestions()) { _ in .proceed }
        }
    }

    private func stopSuppressingNotifications() {
        task?.cancel()
        (task, endTimer) = (nil, nil)
    }
}
