/// The conversation, message, account, outbox item, question, device, link token or app does not exist here.
public struct NotFound: ControlFault, Hashable {
    public var what: String
    public var id: String

    public init(what: String, id: String) {
        self.what = what
        self.id = id
    }
}

/// The id matches more than one account or more than one conversation.
public struct Ambiguous: ControlFault, Hashable {
    public var id: String
    public var accounts: [String]
    /// The conversations that contain the message, if the id is that of a message.
    public var conversations: [String]?

    public init(id: String, accounts: [String], conversations: [String]? = nil) {
        self.id = id
        self.accounts = accounts
        self.conversations = conversations
    }
}

/// The conversation is resolved or closed, and accepts messages only if `reopen` is set.
public struct Closed: ControlFault, Hashable {
    public var conversation: String
    /// `resolved` or `closed`.
    public var status: String

    public init(conversation: String, status: String) {
        self.conversation = conversation
        self.status = status
    }
}

/// A parameter is invalid; the reason is included.
public struct InvalidArgument: ControlFault, Hashable {
    public var parameter: String
    public var reason: String

    public init(parameter: String, reason: String) {
        self.parameter = parameter
        self.reason = reason
    }
}

/// The server rejected the credentials of the device.
public struct NotAuthorized: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// A server is unreachable, and the call is not queued in the outbox.
public struct Offline: ControlFault, Hashable {
    public var reason: String
    /// `issuer` or `service` if the server is not the API.
    public var peer: String?

    public init(reason: String, peer: String? = nil) {
        (self.reason, self.peer) = (reason, peer)
    }
}

/// The service does not offer this function, or not to this device.
public struct NotOffered: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// The API rejected the request. A retry without changes would be rejected again.
public struct Refused: ControlFault, Hashable {
    /// The HTTP status; 200 if only the body reports the rejection.
    public var status: Int
    /// A machine-readable code; `nil` if the API sent none.
    public var code: String?
    /// The reason that the API returned.
    public var reason: String

    public init(status: Int, code: String? = nil, reason: String) {
        self.status = status
        self.code = code
        self.reason = reason
    }
}

/// The API returned an error.
public struct ServerError: ControlFault, Hashable {
    /// The HTTP status.
    public var status: Int
    public var reason: String

    public init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// The response of a server cannot be decoded.
public struct InvalidResponse: ControlFault, Hashable {
    public var reason: String
    /// `issuer` or `service` if the server is not the API.
    public var peer: String?

    public init(reason: String, peer: String? = nil) {
        (self.reason, self.peer) = (reason, peer)
    }
}

/// The call needs a setting that is missing from the configuration.
public struct NotConfigured: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// The configuration was rejected. The previous one stays in effect.
public struct InvalidConfiguration: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// The API rejected the user's message. It stays in the outbox.
public struct NotSent: ControlFault, Hashable {
    public var outboxId: String
    /// `refused`, `notAuthorized` (the device was rejected) or `notFound` (the conversation does not exist).
    public var cause: String
    public var reason: String
    /// Whether the message will be retried automatically when the API accepts the account again.
    public var waiting: Bool?

    public init(outboxId: String, cause: Cause, reason: String, waiting: Bool? = nil) {
        self.outboxId = outboxId
        self.cause = cause.rawValue
        self.reason = reason
        self.waiting = waiting
    }

    /// The kinds of rejection by the API.
    public enum Cause: String, Sendable {
        case refused, notAuthorized, notFound
    }
}

/// The daemon could not complete the call, for instance because the disk is full.
public struct Failed: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// A message of the daemon, split at the first semicolon: the problem before it, the advice behind it.
public struct Reason: Hashable, Sendable {
    public let cause: String
    /// The advice; `nil` if the message contains none.
    public let advice: String?

    public init(_ sentence: String) {
        let cut = sentence.firstRange(of: "; ")
        cause = String(sentence[..<(cut?.lowerBound ?? sentence.endIndex)])
        advice = cut.map { String(sentence[$0.upperBound...]) }
    }
}
