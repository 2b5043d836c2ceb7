import NotificationPolicy
import Notifications
import Store

/// Informs the person about notifications on the first start, once, and offers to turn them off.
struct Permission {
    private let store: MessageStore
    private let questions: Questions
    private let attention: NotificationController

    init(store: MessageStore, questions: Questions, attention: NotificationController) {
        (self.store, self.questions, self.attention) = (store, questions, attention)
    }

    /// Asks if this is a first start. Must be called before accounts are created, because a first start is
    /// detected by an empty store. Does not ask if nothing can pop up.
    func askAtFirstStart() throws {
        guard questions.showsQuestions, attention.policy.isEnabled,
            try store.read({ try $0.accounts.all() }).isEmpty, try questions.last(.permission) == nil
        else { return }
        try questions.ask(.permission)
    }

    func answer(allow: Bool) throws {
        if !allow { try attention.set(enabled: false) }
    }
}
