import Attention
import Screen
import Store

/// Tells the person once, at the very first start, what pops up here, and offers to turn it off.
struct Permission {
    private let store: Store
    private let questions: Questions
    private let attention: Attention

    init(store: Store, questions: Questions, attention: Attention) {
        (self.store, self.questions, self.attention) = (store, questions, attention)
    }

    /// Before any account is made: only a store without one is that of a first start. Where nothing pops up
    /// anyway there is nothing to ask.
    func askAtFirstStart() throws {
        guard questions.mayPopUp, attention.policy.isEnabled,
            try store.read({ try $0.accounts.all() }).isEmpty, try questions.last(.permission) == nil
        else { return }
        try questions.ask(.permission)
    }

    func answer(allow: Bool) throws {
        if !allow { try attention.set(enabled: false) }
    }
}
