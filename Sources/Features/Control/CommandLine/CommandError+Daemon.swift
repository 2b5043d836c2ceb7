import CommandWords
import Config
import ControlAPI
import ControlClient
import CutieAPI
import Localization
import Reasons

// MARK: - Mapping of errors to exit codes and messages

extension CommandError {
    /// Converts an error from the daemon, from its client or from the configuration; `nil` for any other
    /// error.
    init?(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let gone as DaemonUnavailable: self = gone.commandError
        case let fault as any ControlFault: self.init(fault)
        case let error as IncompatibleDaemon: self.init(error)
        case let socket as UnusableSocket: self.init(.unreachable, socket.reason)
        case let argument as UnusableArgument:
            self.init(.usage, argument.sentence, advice: argument.advice)
        case let error as ConfigurationError: self.init(.configuration, error.reason)
        default: return nil
        }
    }

    private init(_ error: IncompatibleDaemon) {
        switch error {
        case .unknownParameter(let name):
            self.init(.badData, Reason(.daemonRefusedParameter, ["name": name]))
        case .unknownMethod: self.init(.failed, Reason(.daemonWithoutMethod))
        case .unknownFault(let name): self.init(.failed, Reason(.daemonReturnedError, ["name": name]))
        case .unreadableReply: self.init(.failed, Reason(.daemonReplyUnreadable))
        }
    }

    init(_ fault: any ControlFault) {
        self =
            switch fault {
            case let fault as NotFound: .make(for: fault)
            case let fault as Ambiguous: .make(for: fault)
            case let fault as Closed: .make(for: fault)
            case let fault as InvalidArgument: .make(for: fault)
            case let fault as NotAuthorized: .make(for: fault)
            case let fault as Offline: .make(for: fault)
            case let fault as NotOffered: .make(for: fault)
            case let fault as ServerError: .make(for: fault)
            case let fault as Refused: .make(for: fault)
            case let fault as InvalidResponse: .make(for: fault)
            case let fault as NotConfigured: .make(for: fault)
            case let fault as InvalidConfiguration: .make(for: fault)
            case let fault as NotSent: .make(for: fault)
            case let fault as Failed: .make(for: fault)
            case let fault as NotStaff: .make(for: fault)
            default: .make(for: fault)
            }
    }
}

// MARK: - Errors caused by the user's request

extension CommandError {
    private static func make(for fault: NotFound) -> CommandError {
        let advice: Reason? =
            switch fault.what {
            case "conversation": Reason(.listConversations)
            case "message": .text("`cutied ctl show CONVERSATION` lists the messages")
            case "account": Reason(.listAccounts)
            case "app":
                .text(
                    "`cutied ctl access` lists apps that requested access, `cutied ctl app list` apps with an account"
                )
            case "service": .text("`cutied ctl service` lists the known services")
            case "device": .text("`cutied ctl link devices` lists the devices")
            case "link token":
                .text("it may have expired; `cutied ctl link start` on the other device creates a new one")
            case "question": .text("`cutied ctl questions` lists the open questions")
            case "outbox item": .text("`cutied ctl outbox` lists the unsent messages")
            default: nil
            }
        let problem: Reason =
            switch fault.what {
            case let what where fault.id.isEmpty: .text("the argument for the \(what) is empty")
            case "conversation": Reason(.conversationNotFound, ["name": fault.id])
            case "account": Reason(.accountNotFound, ["name": fault.id])
            default: .text("there is no \(fault.what) \(fault.id) here")
            }
        return CommandError(.notFound, problem, advice: advice)
    }

    private static func make(for fault: Ambiguous) -> CommandError {
        if fault.accounts.count == 1 {
            let conversations = fault.conversations?.joined(separator: ", ") ?? ""
            return CommandError(
                .badData, Reason(.severalConversations, ["name": fault.id]),
                advice: .text("add --conversation (\(conversations))"))
        }
        let accounts = fault.accounts.joined(separator: ", ")
        return CommandError(
            .badData, Reason(.nameInSeveralAccounts, ["name": fault.id, "names": accounts]))
    }

    private static func make(for fault: NotStaff) -> CommandError {
        let account = fault.account.isEmpty ? "the account" : "account \(fault.account)"
        return CommandError(
            .usage, "this verb is for support staff, and \(account) is not a staff account",
            advice: "`cutied setup --staff` adds a staff account")
    }

    private static func make(for fault: Closed) -> CommandError {
        CommandError(
            .badData, "\(fault.conversation) is \(fault.status); nothing was sent",
            advice: "`cutied ctl reply --reopen` sends the message anyway")
    }

    private static func make(for fault: InvalidArgument) -> CommandError {
        let reason = fault.reasonValue
        var error =
            switch fault.parameter {
            case "account": CommandError(.badData, reason, advice: .text("add --account NAME"), cause: reason)
            case "services":
                CommandError(
                    .badData, reason, advice: .text("`cutied ctl questions` lists the choices"), cause: reason
                )
            // The reason already names the code or the token, so do not add the name of the parameter.
            case "token": CommandError(.badData, reason, cause: reason)
            default:
                CommandError(
                    .badData,
                    Reason(
                        .argumentInvalid, ["name": commandLineArgument(forParameter: fault.parameter)],
                        because: reason),
                    cause: reason)
            }
        error.parameter = fault.parameter
        return error
    }

    private static func make(for fault: NotConfigured) -> CommandError {
        // Advise the user to run `setup` only if the reason contains no advice, because `setup` does not ask
        // for every setting.
        CommandError(.configuration, fault.reasonValue, else: Reason(.runSetup))
    }

    private static func make(for fault: InvalidConfiguration) -> CommandError {
        // The advice of the reason, if any, already states what to correct.
        let isComplete = fault.reasonValue.englishAdvice != nil
        let correction = isComplete ? "then reload again" : "correct it and reload again"
        return CommandError(
            .configuration, Reason(.configurationRefused, because: fault.reasonValue),
            advice: .text(correction + "; the previous config remains in effect"), cause: fault.reasonValue)
    }

    private static func make(for fault: Failed) -> CommandError {
        CommandError(.failed, fault.reasonValue, else: Reason(.runDoctor))
    }

    /// Returns the error for a sign-in fault, or for a fault that this version does not know.
    private static func make(for fault: any ControlFault) -> CommandError {
        switch fault {
        case let fault as SignInRequired:
            CommandError(.notAuthorized, fault.reasonValue, else: Reason(.runSignIn))
        case let fault as AccessDenied:
            CommandError(.notAuthorized, fault.reasonValue, else: Reason(.runSignIn))
        case let fault as CodeExpired: CommandError(.failed, fault.reasonValue, else: Reason(.runSignIn))
        case let fault as InsufficientScope:
            CommandError(.notAuthorized, fault.reasonValue, else: Reason(.runSignIn))
        case let fault as PresenceRequired:
            CommandError(.notAuthorized, fault.reasonValue, cause: fault.reasonValue)
        default: CommandError(.failed, Reason(.daemonReturnedError, ["name": type(of: fault).name]))
        }
    }

    /// Creates an error. `advice` is used only if the reason contains no advice.
    private init(_ status: ExitStatus, _ reason: Reason, else advice: Reason) {
        let isComplete = reason.englishAdvice != nil
        self.init(status, reason, advice: isComplete ? nil : advice, cause: reason)
    }
}

// MARK: - Errors caused by the service

extension CommandError {
    private static func make(for fault: NotAuthorized) -> CommandError {
        let reason = fault.reasonValue
        return CommandError(
            .notAuthorized, Reason(.serverRefusedDevice, because: reason),
            advice: reason.englishAdvice == nil ? Reason(.checkAppID) : nil, cause: reason)
    }

    private static func make(for fault: Offline) -> CommandError {
        let reason = fault.reasonValue
        let peer = fault.peer.flatMap(ServerRole.init(rawValue:)) ?? .api
        guard peer == .api else {
            return CommandError(.unreachable, reason, else: Reason(.tryLater))
        }
        return CommandError(
            .unreachable, Reason(.apiUnreachable, because: reason), advice: Reason(.reconnectLater),
            cause: reason)
    }

    private static func make(for fault: NotOffered) -> CommandError {
        CommandError(
            .failed, Reason(.serviceDoesNotSupport, because: fault.reasonValue), cause: fault.reasonValue)
    }

    private static func make(for fault: ServerError) -> CommandError {
        CommandError(
            .unreachable, Reason(.apiAnsweredWithError, because: fault.reasonValue),
            advice: Reason(advice(forHTTPStatus: fault.status) ?? .serverFault), cause: fault.reasonValue)
    }

    private static func make(for fault: Refused) -> CommandError {
        CommandError(
            .failed, Reason(.apiRefusedRequest, because: fault.reasonValue),
            advice: advice(forHTTPStatus: fault.status).map { Reason($0) }, cause: fault.reasonValue)
    }

    private static func make(for fault: InvalidResponse) -> CommandError {
        let peer = fault.peer.flatMap(ServerRole.init(rawValue:)) ?? .api
        let (code, advice): (Reason.Code, Reason.Code) =
            switch peer {
            case .api: (.apiSentInvalidResponse, .checkAPIAddress)
            case .issuer: (.issuerSentInvalidResponse, .checkIssuer)
            case .service: (.serviceSentInvalidResponse, .contactOperator)
            }
        return CommandError(
            .invalidResponse, Reason(code, because: fault.reasonValue), advice: Reason(advice),
            cause: fault.reasonValue)
    }

    private static func make(for fault: NotSent) -> CommandError {
        let status = exitStatus(for: NotSent.Cause(rawValue: fault.cause))
        let code: Reason.Code = fault.waiting == true ? .notSentYet : .notSent
        return CommandError(
            status, Reason(code, because: fault.reasonValue), advice: fault.advice, cause: fault.reasonValue)
    }

    private static func exitStatus(for cause: NotSent.Cause?) -> ExitStatus {
        switch cause {
        case .notAuthorized: .notAuthorized
        case .notFound: .notFound
        case .refused, nil: .failed
        }
    }

    /// Returns advice for an HTTP error status; `nil` if a retry may succeed.
    private static func advice(forHTTPStatus status: Int) -> Reason.Code? {
        switch status {
        case 300..<400: .apiMoved
        case 400, 422: .correctInput
        case 402: .paidPlanRequired
        case 409: .maybeDone
        case 410: .requestNewOne
        case 413: .makeShorter
        case 408, 425, 429, 500..<600: nil
        default: .retryUseless
        }
    }
}

extension NotSent {
    /// The advice: whether the message will still be sent, and what the user can do.
    var advice: Reason {
        waiting == true
            ? Reason(.messagesWait).replacingAdvice(with: Reason(.seeStatus))
            : Reason(.messageIsSaved, ["item": outboxId])
    }
}

extension DaemonUnavailable {
    var commandError: CommandError {
        CommandError(.unreachable, sentence, advice: advice)
    }

    private var advice: String {
        let start = "start it with `systemctl --user start cutied`"
        guard cause == .disconnectedInCall else {
            return start + ", or see what is wrong with `cutied doctor`"
        }
        return start + " and check `cutied ctl outbox` and `cutied ctl show` before you send it again"
    }

    /// The message for a user who clicked on a notification or a link. Contains no path and starts with the
    /// product name.
    var text: String {
        let how =
            cause == .tooSlow ? localized("Cuti-E is not responding.") : localized("Cuti-E is not running.")
        let command = "systemctl --user restart cutied"
        return how + "\n" + localized("Start Cuti-E with: {command}", ["command": command])
    }

    private var sentence: String {
        switch cause {
        case .notRunning: "no answer from the daemon at \(path): it is not running"
        case .tooSlow: "no answer from the daemon at \(path): it does not respond"
        case .left: "the daemon closed the connection"
        case .disconnectedInCall: "the daemon stopped before it answered: your message may have been accepted"
        }
    }
}
