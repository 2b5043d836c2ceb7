/// `Configure` was not called by this app, or its account is gone.
public struct NotConfigured: AccessFault, Hashable {
    public init() {}
}

/// The person said no, or said nothing in time.
public struct NotAllowed: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// There is no such conversation here.
public struct NotFound: AccessFault, Hashable {
    public var what: String
    public var id: String

    public init(what: String, id: String) { (self.what, self.id) = (what, id) }
}

/// A parameter that cannot be used, and why.
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

/// The caller asks too much at once, or too often.
public struct TooManyRequests: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The server refused the app's account.
public struct NotAuthorized: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The API cannot be reached, and this does not wait.
public struct Offline: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The service does not offer this.
public struct NotOffered: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The API refused this, and refuses it again as it is.
public struct Refused: AccessFault, Hashable {
    /// The HTTP status; 200 where the answer itself says no.
    public var status: Int
    /// For programs, where the API gives one.
    public var code: String?
    /// What the API said.
    public var reason: String

    public init(status: Int, code: String? = nil, reason: String) {
        (self.status, self.code, self.reason) = (status, code, reason)
    }
}

/// The API answered with an error, or with what makes no sense.
public struct ServerError: AccessFault, Hashable {
    /// The HTTP status; 200 where the answer makes no sense.
    public var status: Int
    public var reason: String

    public init(status: Int, reason: String) { (self.status, self.reason) = (status, reason) }
}

/// The daemon could not do it, for instance because the disk is full.
public struct Failed: AccessFault, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}
