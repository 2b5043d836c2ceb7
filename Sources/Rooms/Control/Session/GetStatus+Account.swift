import ControlAPI

extension GetStatus.Reply {
    /// The status as if `account` were the only one. Throws a `Complaint` where there is no such account.
    func narrowed(to account: String?) throws -> GetStatus.Reply {
        guard let account else { return self }
        guard let only = accounts.first(where: { $0.name == account }) else {
            throw Complaint(NotFound(what: "account", id: account))
        }
        var result = self
        result.accounts = [only]
        result.state = only.state
        result.badge = only.badge
        (result.outbox, result.outboxFailed) = (only.outbox, only.outboxFailed)
        return result
    }
}
