import NotificationPolicy
import Notifications
import Store

/// Informs the user about notifications once, on first launch, and offers to turn them off.
struct PermissionQuestion {
    private let store: MessageStore
    private let questions: Questions
    private let notificationController: NotificationController

    init(store: MessageStore, questions: Questions, notificationController: NotificationController) {
        (self.store, self.questions, self.notificationController) = (store, questions, notificationController)
    }

    /// Asks the permission question if this is the first start, unless questions or notifications are
    /// disabled. Must be called before accounts
    /// are created, because an empty store identifies the first start.
    func askAtFirstStart() throws {
        guard questions.showsQuestions, notificationController.policy.isEnabled,
            try store.read({ try $0.accounts.fetchAll() }).isEmpty,
            try questions.findLastQuestion(of: .permission) == nil
        else { return }
        try questions.ask(.permission)
    }
}
