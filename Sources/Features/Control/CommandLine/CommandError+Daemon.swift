import CommandWords
import Config
import ControlAPI
import ControlClient
import CutieAPI
import Localization

// MARK: - Mapping of errors to exit codes and messages

extension CommandError {
    /// `nil` if `error` comes from neither the daemon, its client nor the configuration.
    init?(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let gone as DaemonUnavailable: self = gone.commandError
        case let fault as any ControlFault: self.init(fault)
        case let error as IncompatibleDaemon: self.init(error)
        case let socket as UnusableSocket: self.init(.unreachable, socket.reason)
        case let argument as UnusableArgument:
            self.init(.usage, argument.sentence, advice: argument.advice)
        case let error as ConfigurationError: self.init(.configuration, error.description)
        default: return nil
        }
    }

    private init(_ error: IncompatibleDaemon) {
        let advice = "if it has another version, run `systemctl --user restart cutied`"
        switch error {
        case .unknownParameter(let name):
            self.init(.badData, "the daemon does not accept the parameter \(name)", advice: advice)
        case .unknownMethod: self.init(.failed, "the daemon does not support this verb", advice: advice)
        case .unknownFault(let name):
            self.init(.failed, "the daemon returned the error \(name)", advice: advice)
        case .unreadableReply: self.init(.failed, "the daemon's reply cannot be read", advice: advice)
        }
    }

    init(_ fault: any ControlFault) {
        self =
            switch fault {
            case let fault as NotFound: .of(fault)
            case let fault as Ambiguous: .of(fault)
            case let fault as Closed: .of(fault)
            case let fault as InvalidArgument: .of(fault)
            case let fault as NotAuthorized: .of(fault)
            case let fault as Offline: .of(fault)
            case let fault as NotOffered: .of(fault)
            case let fault as ServerError: .of(fault)
            case let fault as Refused: .of(fault)
            case let fault as InvalidResponse: .of(fault)
            case let fault as NotConfigured: .of(fault)
            case let fault as InvalidConfiguration: .of(fault)
            case let fault as NotSent: .of(fault)
            case let fault as Failed: .of(fault)
            case let fault as NotStaff: .of(fault)
            default: .of(fault)
            }
    }
}

// MARK: - Errors caused by the user's request

extension CommandError {
    private static func of(_ fault: NotFound) -> CommandError {
        let advice =
            switch fault.what {
            case "conversation": "`cutied ctl inbox` lists the conversations"
            case "message": "`cutied ctl show CONVERSATION` lists the messages"
            case "account": "`cutied ctl status` lists the accounts"
            case "app":
                "`cutied ctl access` lists apps that requested access, `cutied ctl app list` apps with an account"
            case "service": "`cutied ctl service` lists the known services"
            case "device": "`cutied ctl link devices` lists the devices"
            case "link token":
                "it may have expired; `cutied ctl link start` on the other device creates a new one"
            case "question": "`cutied ctl questions` lists the open questions"
            case "outbox item": "`cutied ctl outbox` lists the unsent messages"
            default: ""
            }
        return CommandError(.notFound, "there is no \(fault.what) \(fault.id) here", advice: advice)
    }

    private static func of(_ fault: Ambiguous) -> CommandError {
        if fault.accounts.count == 1 {
            let conversations = fault.conversations?.joined(separator: ", ") ?? ""
            let advice = "add --conversation (\(conversations))"
            return CommandError(.badData, "\(fault.id) is in several conversations", advice: advice)
        }
        let accounts = fault.accounts.joined(separator: ", ")
        return CommandError(
            .badData, "\(fault.id) is in several accounts", advice: "add --account (\(accounts))")
    }

    private static func of(_ fault: NotStaff) -> CommandError {
        let account = fault.account.isEmpty ? "the account" : "account \(fault.account)"
        return CommandError(
            .usage, "this verb is for support staff, and \(account) is not a staff account",
            advice: "`cutied setup --staff` adds a staff account")
    }

    private static func of(_ fault: Closed) -> CommandError {
        CommandError(
            .badData, "\(fault.conversation) is \(fault.status); nothing was sent",
            advice: "`cutied ctl reply --reopen` sends the message anyway")
    }

    private static func of(_ fault: InvalidArgument) -> CommandError {
        switch fault.parameter {
        case "account": CommandError(.badData, fault.reason, advice: "add --account NAME")
        case "services":
            CommandError(.badData, fault.reason, advice: "`cutied ctl questions` lists the choices")
        default: CommandError(.badData, "\(fault.parameter) is not valid: \(fault.reason)")
        }
    }

    private static func of(_ fault: NotConfigured) -> CommandError {
        // If `setup` does not ask for the missing setting, the reason contains the advice.
        CommandError(.configuration, Reason(fault.reason), else: "run `cutied setup`")
    }

    private static func of(_ fault: InvalidConfiguration) -> CommandError {
        let advice = "correct it and reload again; the previous config remains in effect"
        return CommandError(.configuration, "the config was not accepted: \(fault.reason)", advice: advice)
    }

    private static func of(_ fault: Failed) -> CommandError {
        // The advice for unexpected errors: most reasons already contain advice.
        let advice = "run `cutied doctor` to find the cause, and see `journalctl --user -u cutied`"
        return CommandError(.failed, Reason(fault.reason), else: advice)
    }

    /// Returns the error for a sign-in fault, or for a fault that this version does not know.
    private static func of(_ fault: any ControlFault) -> CommandError {
        switch fault {
        case let fault as SignInRequired:
            CommandError(.notAuthorized, Reason(fault.reason), else: "run `cutied ctl signin`")
        case let fault as AccessDenied:
            CommandError(
                .notAuthorized, Reason(fault.reason), else: "run `cutied ctl signin` to sign in again")
        case let fault as CodeExpired:
            CommandError(.failed, Reason(fault.reason), else: "run `cutied ctl signin` to sign in again")
        case let fault as InsufficientScope:
            CommandError(
                .notAuthorized, Reason(fault.reason), else: "add it to `scopes` and run `cutied ctl signin`")
        case let fault as PresenceRequired:
            CommandError(
                .notAuthorized, Reason(fault.reason),
                else: "run the command in your desktop session, where you can be asked")
        default: CommandError(.failed, "the daemon returned the error \(type(of: fault).name)")
        }
    }

    private init(_ status: ExitStatus, _ reason: Reason, else advice: String) {
        self.init(status, reason.cause, advice: reason.advice ?? advice)
    }
}

// MARK: - Errors caused by the service

extension CommandError {
    private static func of(_ fault: NotAuthorized) -> CommandError {
        let advice = "see `cutied ctl status`, and check the App ID with `cutied setup`"
        return CommandError(
            .notAuthorized, "the server refused this device: \(fault.reason)", advice: advice)
    }

    private static func of(_ fault: Offline) -> CommandError {
        let advice = "try again later, or now with `cutied ctl reconnect`"
        let peer = fault.peer.flatMap(ServerRole.init(rawValue:)) ?? .api
        guard peer == .api else { return CommandError(.unreachable, Reason(fault.reason), else: tryLater) }
        return CommandError(.unreachable, "the API cannot be reached: \(fault.reason)", advice: advice)
    }

    private static func of(_ fault: NotOffered) -> CommandError {
        CommandError(.failed, "the service does not support this: \(fault.reason)")
    }

    private static func of(_ fault: ServerError) -> CommandError {
        let advice = advice(afterRefusal: fault.status) ?? "this is an error of the server; try again later"
        return CommandError(
            .unreachable, "the API answered with error \(fault.status): \(fault.reason)", advice: advice)
    }

    private static func of(_ fault: Refused) -> CommandError {
        let advice = advice(afterRefusal: fault.status) ?? ""
        return CommandError(.failed, "the API refused the request: \(fault.reason)", advice: advice)
    }

    private static func of(_ fault: InvalidResponse) -> CommandError {
        let peer = fault.peer.flatMap(ServerRole.init(rawValue:)) ?? .api
        let advice =
            switch peer {
            case .api: "check api_url in the config"
            case .issuer: "check `issuer` in the config"
            case .service: "contact the operator of the service"
            }
        return CommandError(
            .invalidResponse, "\(peer.name) sent an invalid response: \(fault.reason)", advice: advice)
    }

    private static let tryLater = "try again later"

    private static func of(_ fault: NotSent) -> CommandError {
        let status = status(of: NotSent.Cause(rawValue: fault.cause))
        if fault.waiting == true {
            let advice =
                "your messages are saved and will be sent when the service accepts this device again; "
                + "see `cutied ctl status`"
            return CommandError(status, "not sent yet: \(fault.reason)", advice: advice)
        }
        let retry = "`cutied ctl outbox retry \(fault.outboxId)`, or `cancel`"
        return CommandError(
            status, "not sent: \(fault.reason)", advice: "your message is saved: " + retry)
    }

    private static func status(of cause: NotSent.Cause?) -> ExitStatus {
        switch cause {
        case .notAuthorized: .notAuthorized
        case .notFound: .notFound
        case .refused, nil: .failed
        }
    }

    /// Returns advice after an HTTP error status; `nil` if a retry may succeed.
    private static func advice(afterRefusal status: Int) -> String? {
        switch status {
        case 300..<400: "the API has another address; check api_url in the config"
        case 400, 422: "correct the input, or ask the app's developers"
        case 402: "this needs a paid plan of the app; ask the app's developers"
        case 409: "it may already be done, or is not possible now"
        case 410: "it has expired; request a new one"
        case 413: "make it shorter"
        case 408, 425, 429, 500..<600: nil
        default: "sending the same request again will not help; ask the app's developers"
        }
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
            cause == .tooSlow ? localized("Cuti-E does not respond.") : localized("Cuti-E is not running.")
        let command = "systemctl --user restart cutied"
        return how + "\n" + localized("Start it with: {command}", ["command": command])
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
