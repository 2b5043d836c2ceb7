/// The app has not called `Configure`, or its account was removed.
public struct NotConfigured: AccessFault, Hashable {
    public init() {}
}

/// The user refused or did not answer in time.
public struct NotAllowed: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// There is no such conversation.
public struct NotFound: AccessFault, Hashable {
    public var what: String
    public var id: String

    public init(what: String, id: String) { (self.what, self.id) = (what, id) }
}

/// A parameter is invalid, with the reason.
public struct InvalidArgument: AccessFault, Hashable {
    public var parameter: String
    public var reason: String

    public init(parameter: String, reason: String) { (self.parameter, self.reason) = (parameter, reason) }
}

/// The conversation is resolved or closed.
public struct Closed: AccessFault, Hashable {
    public var conversation: String
    /// `resolved` or `closed`.
    public var status: String

    public init(conversation: String, status: String) {
        (self.conversation, self.status) = (conversation, status)
    }
}

/// The app makes too many calls, or too many at once.
public struct TooManyRequests: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The API rejected the app's account.
public struct NotAuthorized: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The API cannot be reached, and this call is not queued.
public struct Offline: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The API does not offer this.
public struct NotOffered: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The API rejected the call and would reject it again.
public struct Refused: AccessFault, Hashable {
    /// The HTTP status; 200 if the body of the answer contained the error.
    public var status: Int
    /// A machine-readable code, if the API sent one.
    public var code: String?
    /// The API's message.
    public var reason: String

    public init(status: Int, code: String? = nil, reason: String) {
        (self.status, self.code, self.reason) = (status, code, reason)
    }
}

/// The API returned an error, or an answer that cannot be decoded.
public struct ServerError: AccessFault, Hashable {
    /// The HTTP status; 200 if the answer cannot be decoded.
    public var status: Int
    public var reason: String

    public init(status: Int, reason: String) { (self.status, self.reason) = (status, reason) }
}

/// The daemon failed, for example because the disk is full.
public struct Failed: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}
