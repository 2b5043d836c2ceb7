import ControlAPI
import Varlink

/// The one place that gives the daemon's errors their exit codes and words.
extension Complaint {
    /// Of what a call throws; nil where it is not of the daemon's making.
    init?(fromDaemon error: any Error) {
        switch error {
        case let fault as any ControlFault: self.init(fault)
        case let fault as InvalidParameter:
            self.init(.badData, "the daemon does not take \(fault.parameter)", advice: Self.sameVersion)
        case is MethodNotFound, is MethodNotImplemented, is InterfaceNotFound:
            self.init(.failed, "the daemon does not know this verb", advice: Self.sameVersion)
        case let fault as UnknownFault:
            self.init(.failed, "the daemon answered \(fault.name)", advice: Self.sameVersion)
        case is DecodingError, is MessageError:
            self.init(.failed, "the daemon's answer cannot be read", advice: Self.sameVersion)
        default: return nil
        }
    }

    /// After an upgrade the old daemon may still run.
    private static let sameVersion = "if it is of another version, `systemctl --user restart cutied`"

    init(_ fault: any ControlFault) {
        switch fault {
        case let fault as NotFound: self = .notFound(fault)
        case let fault as Ambiguous where fault.accounts.count == 1:
            let conversations = fault.conversations?.joined(separator: ", ") ?? ""
            self.init(
                .badData, "\(fault.id) is in several conversations",
                advice: "add --conversation (\(conversations))")
        case let fault as Ambiguous:
            let accounts = fault.accounts.joined(separator: ", ")
            self.init(.badData, "\(fault.id) is in several accounts", advice: "add --account (\(accounts))")
        case let fault as Closed:
            self.init(
                .badData, "\(fault.conversation) is \(fault.status); nothing was sent",
                advice: "`cutied ctl reply --reopen` sends it all the same")
        case let fault as InvalidArgument where fault.parameter == "account":
            self.init(.badData, fault.reason, advice: "add --account NAME")
        case let fault as InvalidArgument:
            self.init(.badData, "\(fault.parameter) cannot be used: \(fault.reason)")
        case let fault as NotAuthorized:
            let advice = "look at `cutied ctl status`, and check the App ID with `cutied setup`"
            self.init(.notAuthorized, "the server refused this device: \(fault.reason)", advice: advice)
        case let fault as Offline:
            let advice = "try again later, or at once with `cutied ctl reconnect`"
            self.init(.unreachable, "the API cannot be reached: \(fault.reason)", advice: advice)
        case let fault as NotOffered:
            self.init(.failed, "the service does not offer this: \(fault.reason)")
        case let fault as ServerError:
            let advice = Self.advice(afterRefusal: fault.status) ?? "this is the server's; try again later"
            self.init(.unreachable, "error \(fault.status) of the API: \(fault.reason)", advice: advice)
        case let fault as Refused:
            self.init(
                .failed, "the API refused it: \(fault.reason)",
                advice: Self.advice(afterRefusal: fault.status) ?? "")
        case let fault as InvalidResponse:
            let advice = "look at api_url in the config"
            self.init(.invalidResponse, "the API's answer makes no sense: \(fault.reason)", advice: advice)
        case let fault as NotConfigured:
            // What `setup` does not ask for, the reason tells itself.
            self.init(.configuration, Reason(fault.reason), else: "run `cutied setup`")
        case let fault as InvalidConfiguration:
            let advice = "correct it and reload again; the one before stays in force"
            self.init(.configuration, "the config was refused: \(fault.reason)", advice: advice)
        case let fault as NotSent where fault.waiting == true:
            self.init(
                Self.status(of: NotSent.Cause(rawValue: fault.cause)), "not sent yet: \(fault.reason)",
                advice: "your words are kept and go by themselves once the service takes this device again; "
                    + "`cutied ctl status` tells")
        case let fault as NotSent:
            let retry = "`cutied ctl outbox retry \(fault.outboxId)`, or `cancel`"
            self.init(
                Self.status(of: NotSent.Cause(rawValue: fault.cause)), "not sent: \(fault.reason)",
                advice: "your words are kept: " + retry)
        case let fault as Failed:
            // Reasons say themselves what to do, but for those that nobody thought of.
            let advice = "`cutied doctor` looks for the cause, and `journalctl --user -u cutied` may tell it"
            self.init(.failed, Reason(fault.reason), else: advice)
        default:
            self.init(.failed, "the daemon answered \(type(of: fault).name)")
        }
    }

    private init(_ status: ExitStatus, _ reason: Reason, else advice: String) {
        self.init(status, reason.cause, advice: reason.advice ?? advice)
    }

    private static func status(of cause: NotSent.Cause?) -> ExitStatus {
        switch cause {
        case .notAuthorized: .notAuthorized
        case .notFound: .notFound
        case .refused, nil: .failed
        }
    }

    /// What to do after an HTTP status that says no; nil for those that may heal.
    private static func advice(afterRefusal status: Int) -> String? {
        switch status {
        case 300..<400: "the API is elsewhere; look at api_url in the config"
        case 400, 422: "correct what you gave, or ask the app's makers"
        case 402: "the app's makers have to pay for it; ask them"
        case 409: "it may be done already, or is not possible now"
        case 410: "it is over; ask for a new one"
        case 413: "make it shorter"
        case 408, 425, 429, 500..<600: nil
        default: "trying again as it is will not help; ask the app's makers"
        }
    }

    private static func notFound(_ fault: NotFound) -> Complaint {
        let advice =
            switch fault.what {
            case "conversation": "`cutied ctl inbox` lists the conversations"
            case "message": "`cutied ctl show CONVERSATION` lists the messages"
            case "account": "`cutied ctl status` lists the accounts"
            case "app": "`cutied ctl app list` lists those that were taken over"
            case "device": "`cutied ctl link devices` lists the devices"
            case "link token": "it may be over; `cutied ctl link start` on the other device makes another"
            case "question": "`cutied ctl questions` lists what waits for an answer"
            case "outbox item": "`cutied ctl outbox` lists what waits"
            default: ""
            }
        return Complaint(.notFound, "there is no \(fault.what) \(fault.id) here", advice: advice)
    }
}
