import Accounts
import ControlAPI
import CutieAPI
import EventLog
import VarlinkSocket

/// The handler for conversations that the user opens with a link.
struct OpeningMethods: ControlMethods {
    let accounts: AccountRegistry
    let openings: OpeningRegister

    var implementation: Implementation { Implementation().on(reportOpening) }

    func reportOpening(_ call: ReportOpening) throws -> ReportOpening.Reply {
        let account = try accounts.findAccount(withConversation: call.conversation, named: call.account)
            .account
            .id
        return ReportOpening.Reply(
            handled: try openings.recordOpening(
                of: .init(call.conversation), account: account, message: call.message.map { .init($0) },
                source: .link))
    }
}
