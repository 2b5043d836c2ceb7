public import ControlAPI
import Localization

/// What the daemon is asked; each is answered by one `Answer`, or fails.
public enum Call: Hashable, Sendable {
    case status
    case list
    case questions
    case outbox
    case thread(ThreadRequest)
    case search(words: String)
    case user(account: String?)
    /// Says who the person is, before a form is sent.
    case setUser(account: String?, name: String?, contact: String?)
    /// Sent by `callOnce`, as the words may have been taken where the answer was lost.
    case create(NewThread)
    /// Sent by `callOnce`.
    case send(OwnMessage)
    // Support: what is written is sent by `callOnce`.
    case session(account: String)
    case tags(account: String)
    case note(OwnMessage)
    case respond(OwnResponse)
    case change(StaffChange)
    case addResponse(NewResponse)
    case markRead(ConversationKey, upTo: String)
    case retry(outboxId: String)
    case cancel(outboxId: String)
    /// `services`: the links of those that are allowed, where there is a choice.
    case answer(questionId: String, allow: Bool, services: [String]? = nil)
    case pause(seconds: Int?, hidesWords: Bool)
    case resume
    case turnOnNotifications
    case reconnect
}

/// A thread that is asked for.
public struct ThreadRequest: Hashable, Sendable {
    public var conversation: String
    /// nil: the daemon knows which, where there is only one.
    public var account: String?
    /// The newest so many; nil: all.
    public var limit: Int?
}

/// A thread that begins.
public struct NewThread: Hashable, Sendable {
    /// A UUID: the same call is done once.
    public var key: String
    public var account: String?
    public var category: String
    public var title: String?
    public var message: String
}

/// An answer in a thread.
public struct OwnMessage: Hashable, Sendable {
    /// A UUID: the same call is done once. The outbox item has it as its id.
    public var key: String
    public var conversation: ConversationKey
    public var message: String
    public var reopens: Bool
}

/// What the daemon answered.
public enum Answer: Hashable, Sendable {
    case status(GetStatus.Reply)
    case list(ListConversations.Reply)
    case questions(ListQuestions.Reply)
    case outbox(ListOutbox.Reply)
    case thread(GetConversation.Reply)
    /// `services`: those that have the words, too.
    case search(Search.Reply, services: [ServiceView] = [])
    case user(UserView)
    case created(CreateConversation.Reply)
    case sent(SendMessage.Reply)
    case session(SessionView)
    case tags([TagView])
    case changed(StaffReceipt)
    case retried(RetryOutbox.Reply)
    case answered(account: String?)
    case paused(Pause.Reply)
    case done
}

/// Why a call was not answered.
public enum CallFailure: Error, Hashable, Sendable {
    /// The daemon is not there, or went before it was asked; nothing was done.
    case gone
    /// It went, and may have taken the words.
    case inDoubt
    /// It is of another version: a sentence of what it does not know.
    case tooOld(String)
    case notFound(NotFound)
    case ambiguous(Ambiguous)
    case closed(Closed)
    case notSent(NotSent)
    /// An argument cannot be used.
    case invalid(InvalidArgument)
    /// A sentence for the person.
    case refused(String)

    public init(_ fault: any ControlFault) {
        self =
            switch fault {
            case let fault as NotFound: .notFound(fault)
            case let fault as Ambiguous: .ambiguous(fault)
            case let fault as Closed: .closed(fault)
            case let fault as NotSent: .notSent(fault)
            case let fault as InvalidArgument: .invalid(fault)
            default: .refused(Self.sentence(of: fault))
            }
    }

    /// For the person.
    public var sentence: String {
        switch self {
        case .gone: localized("Cuti-E does not run in the background right now.")
        case .inDoubt:
            localized(
                """
                Cuti-E went away before it answered. Your words may have been sent; look before you send them \
                again.
                """
            )
        case .tooOld(let sentence), .refused(let sentence): sentence
        case .notFound: localized("It is not here any more.")
        case .ambiguous: localized("It is in several accounts.")
        case .closed: localized("The conversation has ended.")
        case .notSent(let fault): localized(received: fault.reason)
        case .invalid(let fault): Self.sentence(of: fault)
        }
    }

    /// Names the field by its label, not by the parameter.
    private static func sentence(of fault: InvalidArgument) -> String {
        let reason = localized(received: fault.reason)
        guard let label = label(of: fault.parameter) else {
            return localized("This cannot be used: {reason}.", ["reason": reason])
        }
        return localized("“{field}” cannot be used: {reason}.", ["field": label, "reason": reason])
    }

    private static func label(of parameter: String) -> String? {
        switch parameter {
        case "title": localized("Title")
        case "message", "content": localized("Message")
        case "userName": localized("Name")
        case "userId": localized("Contact")
        case "linkToken", "token": localized("Code")
        case "url": localized("Address")
        default: nil
        }
    }

    private static func sentence(of fault: any ControlFault) -> String {
        switch fault {
        case let fault as NotAuthorized:
            localized(
                "The service refused this device: {reason}.", ["reason": localized(received: fault.reason)])
        case let fault as Offline:
            localized(
                "The service cannot be reached: {reason}. Try again later.",
                ["reason": localized(received: fault.reason)])
        case let fault as NotOffered:
            localized(
                "The service does not offer this: {reason}.", ["reason": localized(received: fault.reason)])
        case let fault as Refused:
            localized("The service refused it: {reason}.", ["reason": localized(received: fault.reason)])
        case let fault as ServerError:
            localized(
                "The service has a problem: {reason}. Try again later.",
                ["reason": localized(received: fault.reason)])
        case let fault as InvalidResponse:
            localized(
                "The service's answer makes no sense: {reason}.",
                ["reason": localized(received: fault.reason)])
        case let fault as NotConfigured: localized(received: fault.reason)
        case let fault as InvalidConfiguration:
            localized(
                "The settings were refused: {reason}. Those before stay in force.",
                ["reason": localized(received: fault.reason)])
        case let fault as Failed: localized(received: fault.reason)
        case is NotStaff: localized("This account is not one of support.")
        case let fault as SignInRequired: localized(received: fault.reason)
        case let fault as AccessDenied: localized(received: fault.reason)
        case let fault as CodeExpired: localized(received: fault.reason)
        case let fault as InsufficientScope: localized(received: fault.reason)
        case let fault as PresenceRequired: localized(received: fault.reason)
        default: localized("Cuti-E could not do it.")
        }
    }
}
