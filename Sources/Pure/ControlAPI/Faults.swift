/// There is no such conversation, message, account, outbox item, question, device, link token or app here.
public struct NotFound: ControlFault, Hashable {
    public var what: String
    public var id: String

    public init(what: String, id: String) {
        self.what = what
        self.id = id
    }
}

/// The id fits in more than one account, or more than one conversation.
public struct Ambiguous: ControlFault, Hashable {
    public var id: String
    public var accounts: [String]
    /// Of a message: where it is.
    public var conversations: [String]?

    public init(id: String, accounts: [String], conversations: [String]? = nil) {
        self.id = id
        self.accounts = accounts
        self.conversations = conversations
    }
}

/// The conversation is resolved or closed, and takes a message only where `reopen` is set.
public struct Closed: ControlFault, Hashable {
    public var conversation: String
    /// `resolved` or `closed`.
    public var status: String

    public init(conversation: String, status: String) {
        self.conversation = conversation
        self.status = status
    }
}

/// A parameter that cannot be used, and why.
public struct InvalidArgument: ControlFault, Hashable {
    public var parameter: String
    public var reason: String

    public init(parameter: String, reason: String) {
        self.parameter = parameter
        self.reason = reason
    }
}

/// The server refused the device.
public struct NotAuthorized: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// A server cannot be reached, and the call does not wait in the outbox.
public struct Offline: ControlFault, Hashable {
    public var reason: String
    /// `issuer` or `service` if the server is not the API.
    public var peer: String?

    public init(reason: String, peer: String? = nil) {
        (self.reason, self.peer) = (reason, peer)
    }
}

/// The service does not offer this, or not to this device.
public struct NotOffered: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// The API refused this, and refuses it again as it is.
public struct Refused: ControlFault, Hashable {
    /// The HTTP status; 200 where the answer itself says no.
    public var status: Int
    /// For programs, where the API gives one.
    public var code: String?
    /// What the API said.
    public var reason: String

    public init(status: Int, code: String? = nil, reason: String) {
        self.status = status
        self.code = code
        self.reason = reason
    }
}

/// The API answered with an error.
public struct ServerError: ControlFault, Hashable {
    /// The HTTP status.
    public var status: Int
    public var reason: String

    public init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// A server's answer cannot be read.
public struct InvalidResponse: ControlFault, Hashable {
    public var reason: String
    /// The same values as in `Offline`.
    public var peer: String?

    public init(reason: String, peer: String? = nil) {
        (self.reason, self.peer) = (reason, peer)
    }
}

/// Something must be configured first.
public struct NotConfigured: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// The configuration was refused; the one in force stays.
public struct InvalidConfiguration: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// The API refused what the person wrote; it is kept in the outbox.
public struct NotSent: ControlFault, Hashable {
    public var outboxId: String
    /// `refused`, `notAuthorized` (the device) or `notFound` (the conversation).
    public var cause: String
    public var reason: String
    /// They go by themselves once the API takes the account again.
    public var waiting: Bool?

    public init(outboxId: String, cause: Cause, reason: String, waiting: Bool? = nil) {
        self.outboxId = outboxId
        self.cause = cause.rawValue
        self.reason = reason
        self.waiting = waiting
    }

    /// What the API refused.
    public enum Cause: String, Sendable {
        case refused, notAuthorized, notFound
    }
}

/// The daemon could not do it, for instance because the disk is full.
public struct Failed: ControlFault, Hashable {
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// A sentence of the daemon's, taken apart: what is wrong and, behind its first semicolon, what to do.
public struct Reason: Hashable, Sendable {
    public let cause: String
    /// nil where the sentence says nothing of it.
    public let advice: String?

    public init(_ sentence: String) {
        let cut = sentence.firstRange(of: "; ")
        cause = String(sentence[..<(cut?.lowerBound ?? sentence.endIndex)])
        advice = cut.map { String(sentence[$0.upperBound...]) }
    }
}
