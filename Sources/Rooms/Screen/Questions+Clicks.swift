import ControlAPI
import Desktop
import Localization
import Log
import Store

extension Questions {
    /// The person clicked an answer.
    func clicked(_ id: Int64, allow: Bool) async {
        do {
            guard let account = try await answer(id, allow: allow) else { return }
            let name = try store.read { try $0.apps.all() }.first { $0.name == account }?.appName
            await tell(
                localized("{account} was added", ["account": name ?? account]),
                localized("Its replies are now shown here."))
        } catch is NotFound {
            // Answered elsewhere a moment before.
        } catch {
            await tell(localized("Something went wrong"), localized(received: Self.sentence(of: error)))
        }
    }

    /// The person wants to answer it in the window.
    func putOff(_ id: Int64) { isPutOff.insert(id) }

    /// Its pop-up went. A person who closes a question has seen it: it is not asked again, and nothing follows.
    func ended(_ id: Int64, because reason: CloseReason) throws {
        // The click that ended it may say so later, or the person may want to choose in peace.
        if try question(id)?.servicesRequest != nil { putOff(id) }
        guard !isPutOff.contains(id) else { return }
        if reason == .dismissed { try resolve(id, .closed) }
        guard let record = try store.read({ try $0.questions.find(id) }),
            Question(record)?.isAskedByThePerson == false
        else { return }
        // It is asked again, another day.
        reconsider()
    }

    /// Tells what came of an answer. Not worth a second try.
    private func tell(_ summary: String, _ body: String) async {
        var popup = Popup.notice(summary, body)
        popup.stackTag = "cutied-question-answered"
        await screen.tell(popup)
    }

    /// As a person reads it.
    private static func sentence(of error: any Error) -> String {
        switch error {
        case let fault as NotAuthorized: fault.reason
        case let fault as Offline: "The API cannot be reached: \(fault.reason)"
        case let fault as ServerError: "The API answered \(fault.status): \(fault.reason)"
        case let fault as InvalidResponse: fault.reason
        case let fault as PresenceRequired: fault.reason
        case let fault as Refused: "The API refused it: \(fault.reason)"
        case let fault as InvalidArgument: "The \(fault.parameter) cannot be used: \(fault.reason)"
        case let fault as Failed: fault.reason
        case let fault as NotFound: "There is no \(fault.what) of that name any more."
        default: "\(error)"
        }
    }
}
