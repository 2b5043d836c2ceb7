import Inbox
import Store

/// Tells the person once, at the very first start, what pops up here, and offers to turn it off.
struct Permission {
    private let store: Store
    private let questions: Questions
    private let switches: Switches

    init(store: Store, questions: Questions, switches: Switches) {
        (self.store, self.questions, self.switches) = (store, questions, switches)
    }

    /// Before any account is made: only a store without one is that of a first start. Where nothing pops up
    /// anyway there is nothing to ask.
    func askAtFirstStart() throws {
        guard questions.mayPopUp, questions.policy().isEnabled,
            try store.read({ try $0.accounts() }).isEmpty, try questions.last(.permission) == nil
        else { return }
        try questions.ask(.permission)
    }

    func settle(allow: Bool) throws {
        if !allow { try switches.set(enabled: false) }
    }
}
