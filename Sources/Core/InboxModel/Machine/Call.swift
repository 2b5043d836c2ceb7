public import ControlAPI
import Localization
import Reasons

/// A call to the daemon. Its result is a `CallReply` or a `CallFailure`.
public enum Call: Hashable, Sendable {
    case status
    case list
    case questions
    case outbox
    case thread(ThreadRequest)
    case search(words: String)
    case user(account: String?)
    /// Stores the user's name and contact, before `create` sends the form.
    case setUser(account: String?, name: String?, contact: String?)
    /// Creates a conversation. `callIdempotently` sends the call with an idempotency key: if the connection
    /// is lost, the daemon may have executed the call, and a retry must not create a second conversation.
    case create(NewThread)
    /// Sends a message. `callIdempotently` sends the call with an idempotency key, as for `create`.
    case send(OutgoingMessage)
    // Calls for support staff. The calls that change data are sent by `callIdempotently`.
    case session(account: String)
    case tags(account: String)
    case canned(account: String)
    case note(OutgoingMessage)
    case respond(OutgoingResponse)
    case change(StaffChange)
    case addResponse(NewResponse)
    case markRead(ConversationKey, upTo: String)
    case markUnread(ConversationKey)
    case mute(ConversationKey, Bool)
    /// `until`: the end of the snooze in Unix milliseconds; `nil` to end the snooze now.
    case snooze(ConversationKey, until: Int64?)
    case retry(outboxId: String)
    case cancel(outboxId: String)
    /// `services`: the IDs of the allowed services; `nil` if the question is not about services.
    case answer(questionId: String, allow: Bool, services: [String]? = nil)
    case pause(seconds: Int?, hidesText: Bool)
    case resume
    case turnOnNotifications
    case reconnect
}

/// A request for the messages of a conversation.
public struct ThreadRequest: Hashable, Sendable {
    public var conversation: String
    /// The account of the conversation; `nil` if unknown. If the account is unknown, the daemon uses the only
    /// account that contains the conversation.
    public var account: String?
    /// The number of messages to request, newest first; `nil` for all messages.
    public var limit: Int?
}

/// A conversation to create.
public struct NewThread: Hashable, Sendable {
    /// The idempotency key, a UUID.
    public var key: String
    public var account: String?
    public var category: String
    public var title: String?
    public var message: String
}

/// A reply to send.
public struct OutgoingMessage: Hashable, Sendable {
    /// The idempotency key, a UUID; also the ID of the outbox item.
    public var key: String
    public var conversation: ConversationKey
    public var message: String
    public var reopens: Bool
}

/// The successful result of a call.
public enum CallReply: Hashable, Sendable {
    case status(GetStatus.Reply)
    case list(ListConversations.Reply)
    case questions(ListQuestions.Reply)
    case outbox(ListOutbox.Reply)
    case thread(GetConversation.Reply)
    /// `services`: the services that match the search.
    case search(Search.Reply, services: [ServiceView] = [])
    case user(UserView)
    case created(CreateConversation.Reply)
    case sent(SendMessage.Reply)
    case session(SessionView)
    case tags([TagView])
    case canned([CannedResponseView])
    case changed(StaffReceipt)
    case retried(RetryOutbox.Reply)
    case answered(account: String?)
    case paused(Pause.Reply)
    case done
}

/// The failure of a call.
public enum CallFailure: Error, Hashable, Sendable {
    /// The daemon is not running, or exited before the call was sent, so the call had no effect.
    case unreachable
    /// The connection was lost while the call was in flight; the daemon may have executed the call.
    case unknownResult
    /// The daemon's version is too old for the call. The value is a message that names the unsupported
    /// feature.
    case tooOld(String)
    case notFound(NotFound)
    case ambiguous(Ambiguous)
    case closed(Closed)
    case notSent(NotSent)
    case invalid(InvalidArgument)
    /// Any other error. The value is a message for the user.
    case refused(String)

    public init(_ fault: any ControlFault) {
        self =
            switch fault {
            case let fault as NotFound: .notFound(fault)
            case let fault as Ambiguous: .ambiguous(fault)
            case let fault as Closed: .closed(fault)
            case let fault as NotSent: .notSent(fault)
            case let fault as InvalidArgument: .invalid(fault)
            default: .refused(Self.message(for: fault))
            }
    }

    /// The error message for the user.
    public var sentence: String {
        switch self {
        case .unreachable: localized("Cuti-E is not running in the background. Start Cuti-E, then try again.")
        case .unknownResult:
            localized(
                """
                Cuti-E stopped before it responded. The request may have been carried out. Check the result \
                before you try again.
                """)
        case .tooOld(let sentence), .refused(let sentence): sentence
        case .notFound: localized("This item no longer exists.")
        case .ambiguous: localized("This item exists in several accounts.")
        case .closed: localized("This conversation is closed. Reopen the conversation to send a message.")
        case .notSent(let fault): fault.reasonValue.localized
        case .invalid(let fault): Self.message(for: fault)
        }
    }

    /// Returns an error message that names the field by its label in the window, not by the parameter of the
    /// call.
    private static func message(for fault: InvalidArgument) -> String {
        let reason = fault.reasonValue.localized
        guard let label = fieldLabel(forParameter: fault.parameter) else {
            return localized("This value is not valid: {reason}.", ["reason": reason])
        }
        return localized("“{field}” is not valid: {reason}.", ["field": label, "reason": reason])
    }

    private static func message(for fault: any ControlFault) -> String {
        switch fault {
        case let fault as NotAuthorized:
            localized(
                "The service denied access: {reason}.", ["reason": fault.reasonValue.localized])
        case let fault as Offline:
            localized(
                "The service cannot be reached: {reason}. Try again later.",
                ["reason": fault.reasonValue.localized])
        case let fault as NotOffered:
            localized(
                "The service does not support this request: {reason}.",
                ["reason": fault.reasonValue.localized])
        case let fault as Refused:
            localized(
                "The service refused the request: {reason}.", ["reason": fault.reasonValue.localized])
        case let fault as ServerError:
            localized(
                "The service reported an error: {reason}. Try again later.",
                ["reason": fault.reasonValue.localized])
        case let fault as InvalidResponse:
            localized(
                "The service sent an invalid response: {reason}.",
                ["reason": fault.reasonValue.localized])
        case let fault as NotConfigured: fault.reasonValue.localizedSentence
        case let fault as InvalidConfiguration:
            localized(
                "The settings were not accepted: {reason}. The previous settings remain in effect.",
                ["reason": fault.reasonValue.localized])
        case let fault as Failed: fault.reasonValue.localizedSentence
        case is NotStaff: localized("This account is not a support account. Select a support account.")
        case let fault as SignInRequired: fault.reasonValue.localizedSentence
        case let fault as AccessDenied: fault.reasonValue.localizedSentence
        case let fault as CodeExpired: fault.reasonValue.localizedSentence
        case let fault as InsufficientScope: fault.reasonValue.localizedSentence
        case let fault as PresenceRequired: fault.reasonValue.localizedSentence
        default: localized("Cuti-E could not complete the request. Try again later.")
        }
    }
}
