import Accounts
import ControlAPI
import CutieAPI
import Domain
import Localization
import Notifications
import Store
import VarlinkSocket

/// The handlers for questions to the user.
struct QuestionMethods: ControlMethods {
    let questions: Questions
    let consent: ActivityConsent

    var implementation: Implementation {
        Implementation().on(listQuestions).on(answerQuestion).on(consent)
    }

    func listQuestions(_: ListQuestions) throws -> ListQuestions.Reply {
        ListQuestions.Reply(
            questions: try questions.open().compactMap { record in
                Question(record).map { QuestionView(record, $0, for: questions.reader) }
            })
    }

    func answerQuestion(_ call: AnswerQuestion) async throws -> AnswerQuestion.Reply {
        guard let id = Int64(call.questionId) else {
            throw ServiceError.notFound(what: "question", id: call.questionId)
        }
        return AnswerQuestion.Reply(
            account: try await questions.answer(id, allow: call.allow, services: call.services))
    }

    func consent(_ call: Consent) throws -> Consent.Reply {
        if let enabled = call.enabled {
            try consent.set(enabled)
            try questions.withdraw(.consent, as: enabled ? .allow : .refuse)
        }
        let decision = try consent.decision()
        return Consent.Reply(enabled: decision ?? false, decided: decision != nil)
    }
}

extension QuestionView {
    init(_ record: QuestionRecord, _ question: Question, for reader: Reader) {
        // Clients receive the English text and translate it for display.
        let words = Language.$inScope.withValue(.english) { question.text(for: reader) }
        self.init(
            questionId: String(record.id), kind: record.kind, question: words.question,
            detail: words.detail, allow: words.allow, refuse: words.refuse,
            askedAt: record.askedAt.milliseconds, app: question.program?.name,
            verified: question.program?.isVerified, protocols: question.servicesRequest?.protocols,
            services: question.servicesRequest?.services.map(ServiceChoice.init(_:)),
            single: question.servicesRequest?.isSingle)
    }
}

extension ServiceChoice {
    fileprivate init(_ service: OfferedService) {
        self.init(
            name: service.name, link: service.link, host: service.host, account: service.account,
            used: service.used, id: service.id)
    }
}
