import Accounts
import ControlAPI
import CutieAPI
import Domain
import Localization
import Notifications
import Reasons
import Store
import VarlinkSocket

/// The handlers for questions to the user.
struct QuestionMethods: ControlMethods {
    let questions: Questions
    let consent: ActivityConsent

    var implementation: Implementation {
        Implementation().on(listQuestions).on(answerQuestion).on(updateConsent)
    }

    func listQuestions(_: ListQuestions) throws -> ListQuestions.Reply {
        ListQuestions.Reply(
            questions: try questions.fetchOpenQuestions().compactMap { record in
                Question(record).map { QuestionView(record, question: $0, for: questions.reader) }
            })
    }

    func answerQuestion(_ call: AnswerQuestion) async throws -> AnswerQuestion.Reply {
        guard let id = Int64(call.questionId) else {
            throw ServiceError.notFound(what: "question", id: call.questionId)
        }
        return AnswerQuestion.Reply(
            account: try await questions.answerQuestion(id, isAllowed: call.allow, services: call.services))
    }

    func updateConsent(_ call: Consent) throws -> Consent.Reply {
        if let enabled = call.enabled {
            try consent.setDecision(enabled)
            try questions.closeQuestions(of: .consent, as: enabled ? .allow : .refuse)
        }
        let decision = try consent.readDecision()
        return Consent.Reply(enabled: decision ?? false, decided: decision != nil)
    }
}

extension QuestionView {
    init(_ record: QuestionRecord, question: Question, for reader: UserRole) {
        let text = question.text(for: reader)
        self.init(
            questionId: String(record.id), kind: record.kind, question: text.question.english,
            detail: text.detail.map(\.english).joined(separator: " "), allow: text.allow.english,
            refuse: text.refuse.english,
            askedAt: record.askedAt.milliseconds, app: question.program?.name,
            verified: question.program?.isVerified, protocols: question.servicesRequest?.protocols,
            services: question.servicesRequest?.services.map(ServiceChoice.init(_:)),
            single: question.servicesRequest?.isSingle,
            texts: QuestionTexts(
                question: ReasonView(text.question), detail: text.detail.map(ReasonView.init(_:)),
                allow: ReasonView(text.allow), refuse: ReasonView(text.refuse)))
    }
}

extension ServiceChoice {
    fileprivate init(_ service: OfferedService) {
        self.init(
            name: service.name, link: service.link, host: service.host, account: service.account,
            used: service.used, id: service.id)
    }
}
