public import ControlAPI
import Localization

/// The page that hands an account over to another app, or adds an account from another app, as a state
/// machine.
public struct HandOverState: Sendable {
    public enum Input: Hashable, Sendable {
        /// The page was opened for an account; `nil` if there is only one account.
        case open(account: String?)
        /// The user requests a code that hands the account over to another app.
        case makeCode
        /// The user typed a link from another app, or only the token from the link.
        case link(String)
        /// The user adds the account of the typed link. `token`, `api`: the token and the address of the API;
        /// `nil` if the text does not contain them.
        case redeem(token: String?, api: String? = nil)
        case answer(allow: Bool)
        /// The IDs of the pending questions changed.
        case questions(Set<String>)
        case remove(AppView)
        case confirm(Bool)
        case answered(Call, CallReply)
        case failed(Call, CallFailure)
    }

    public enum Call: Hashable, Sendable {
        case code(account: String?)
        case redeem(token: String, api: String? = nil)
        case answer(questionId: String, allow: Bool)
        case apps
        case remove(account: String)
    }

    public enum CallReply: Hashable, Sendable {
        case code(HandOverApp.Reply)
        case question(QuestionView)
        /// The question was answered. `account`: the added account; `nil` if the user refused the account.
        case answered(account: String?)
        case apps([AppView])
        case removed
    }

    public enum Action: Hashable, Sendable {
        case call(Call)
        case showToast(String)
    }

    public enum CodeState: Hashable, Sendable {
        case none
        case asking
        case made(token: String, link: String)
        /// Creating a code failed. The value is the error message.
        case failed(String)
    }

    public enum RedemptionState: Hashable, Sendable {
        case idle
        case asking
        /// The daemon asks the user whether to add the account.
        case question(QuestionView)
        case answering
        /// Adding an account failed. The value is the error message.
        case failed(String)
    }

    public private(set) var account: String?
    public private(set) var code = CodeState.none
    public private(set) var redemption = RedemptionState.idle
    public private(set) var link = ""
    /// The accounts that other apps handed over, oldest first.
    public private(set) var apps: [AppView] = []
    /// The app whose removal the user must confirm.
    public private(set) var appToRemove: AppView?
    private var pendingQuestions: Set<String> = []

    public init() {}

    public var canRedeem: Bool {
        switch redemption {
        case .idle, .failed:
            !link.allSatisfy(\.isWhitespace) && link.utf8.count <= 2 * ControlInterface.shortLimit
        case .asking, .question, .answering: false
        }
    }

    public mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .open(let account):
            (self.account, code) = (account, .none)
            return [.call(.apps)]
        case .makeCode:
            guard code != .asking else { return [] }
            code = .asking
            return [.call(.code(account: account))]
        case .link(let text): link = text
        case .redeem(let token, let api): return redeemLink(token: token, api: api)
        case .answer(let allow): return answerQuestion(isAllowed: allow)
        case .questions(let pending): return closeQuestionIfAnswered(pendingIDs: pending)
        case .remove(let app): appToRemove = app
        case .confirm(let isSure):
            defer { appToRemove = nil }
            return isSure ? appToRemove.map { [.call(.remove(account: $0.account))] } ?? [] : []
        case .answered(let call, let answer): return handleReply(answer, to: call)
        case .failed(let call, let failure): return handleFailure(failure, of: call)
        }
        return []
    }

    private mutating func redeemLink(token: String?, api: String?) -> [Action] {
        guard canRedeem else { return [] }
        guard let token else {
            redemption = .failed(
                localized(
                    "This is not a link from another app. A valid link looks like cutie://link?token=…"))
            return []
        }
        redemption = .asking
        return [.call(.redeem(token: token, api: api))]
    }

    private mutating func answerQuestion(isAllowed: Bool) -> [Action] {
        guard case .question(let question) = redemption else { return [] }
        redemption = .answering
        return [.call(.answer(questionId: question.questionId, allow: isAllowed))]
    }

    /// Closes the shown question if it was answered elsewhere: the question was pending, and is no longer
    /// pending. A shown question that was never pending is newer than the list, and stays open.
    private mutating func closeQuestionIfAnswered(pendingIDs: Set<String>) -> [Action] {
        defer { pendingQuestions = pendingIDs }
        guard case .question(let question) = redemption, pendingQuestions.contains(question.questionId),
            !pendingIDs.contains(question.questionId)
        else { return [] }
        (redemption, link) = (.idle, "")
        return [.call(.apps)]
    }

    private mutating func handleReply(_ response: CallReply, to call: Call) -> [Action] {
        switch response {
        case .code(let reply):
            if call == .code(account: account) { code = .made(token: reply.token, link: reply.link) }
        case .question(let question): redemption = .question(question.translated)
        case .answered(let account):
            (redemption, link) = (.idle, "")
            return (account == nil ? [] : [.showToast(addedSentence)]) + [.call(.apps)]
        case .apps(let apps): self.apps = apps
        case .removed: return [.call(.apps)]
        }
        return []
    }

    private mutating func handleFailure(_ failure: CallFailure, of call: Call) -> [Action] {
        switch call {
        case .code(let account): if account == self.account { code = .failed(failure.sentence) }
        case .redeem, .answer: redemption = .failed(failure.sentence)
        case .apps: break
        case .remove: return [.showToast(failure.sentence), .call(.apps)]
        }
        return []
    }
}
