import ControlAPI
import CutieAPI
import Store

extension ControlService {
    func listQuestions() throws -> ListQuestions.Reply {
        ListQuestions.Reply(
            questions: try questions.open().compactMap { record in
                Question(record).map { QuestionView(record, $0) }
            })
    }

    func answerQuestion(_ call: AnswerQuestion) async throws -> AnswerQuestion.Reply {
        guard let id = Int64(call.questionId) else { throw NotFound(what: "question", id: call.questionId) }
        return AnswerQuestion.Reply(account: try await questions.answer(id, allow: call.allow))
    }

    func consent(_ call: Consent) throws -> Consent.Reply {
        if let enabled = call.enabled { try consent.set(enabled) }
        let decision = try consent.decision()
        return Consent.Reply(enabled: decision ?? false, decided: decision != nil)
    }

    func handOverApp(_ call: HandOverApp) async throws -> HandOverApp.Reply {
        let offer = try await handOver.give(call.account)
        return HandOverApp.Reply(
            account: offer.account, token: offer.token.rawValue, link: offer.link.text)
    }

    func takeApp(_ call: TakeApp) throws -> TakeApp.Reply {
        let token = FeedbackToken(call.token)
        try handOver.check(token, at: call.account)
        let question = Question.app(token, account: call.account)
        let record = try questions.ask(question, byPopup: call.quiet != true)
        return TakeApp.Reply(question: QuestionView(record, question))
    }

    func listApps() throws -> ListApps.Reply {
        ListApps.Reply(
            apps: try added.all().map {
                AppView(
                    account: $0.name, appId: $0.appID, appName: $0.appName, apiUrl: $0.apiURL,
                    addedAt: $0.addedAt.milliseconds)
            })
    }

    func removeApp(_ call: RemoveApp) throws -> RemoveApp.Reply {
        try handOver.remove(call.account)
        return RemoveApp.Reply()
    }
}
