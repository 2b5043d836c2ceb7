/// A string enum to which the server may add values. Any value can be decoded, so an unknown value does not
/// prevent decoding of the object that contains it.
public protocol OpenEnum: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension OpenEnum {
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }
}

public struct Category: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let bug = Category("bug")
    public static let feature = Category("feature")
    public static let question = Category("question")
    public static let feedback = Category("feedback")
    public static let other = Category("other")
    public static let known: [Category] = [.bug, .feature, .question, .feedback, .other]
}

public struct Status: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Status("open")
    public static let inProgress = Status("in_progress")
    public static let waitingUser = Status("waiting_user")
    public static let waitingAdmin = Status("waiting_admin")
    public static let resolved = Status("resolved")
    public static let closed = Status("closed")
    public static let known: [Status] = [.open, .inProgress, .waitingUser, .waitingAdmin, .resolved, .closed]
}

public struct Priority: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let low = Priority("low")
    public static let normal = Priority("normal")
    public static let high = Priority("high")
    public static let urgent = Priority("urgent")
    public static let known: [Priority] = [.low, .normal, .high, .urgent]
}

/// The role of a message's sender.
public struct SenderType: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let user = SenderType("user")
    public static let admin = SenderType("admin")
    public static let system = SenderType("system")
}
