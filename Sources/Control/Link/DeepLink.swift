public import CutieAPI

/// A link that the desktop hands to `cutied open`: `cutie://conversation/<id>[?account=NAME&message=ID]`.
public enum DeepLink: Hashable, Sendable {
    /// `account` and `message` where the link names them.
    case conversation(Conversation.ID, account: String?, message: Message.ID?)
}

extension DeepLink {
    /// A link that is none of ours. Never repeats the link: anybody may have written it.
    public enum Invalid: Error, Hashable, Sendable {
        case tooLong
        case characters
        case scheme
        case kind
        case authority
        case fragment
        case path
        case identifier
        case parameter
        case doubledParameter
        case account
    }
}

extension DeepLink.Invalid: CustomStringConvertible {
    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .tooLong: "is longer than \(DeepLink.longest) bytes"
        case .characters: "holds characters that no link has"
        case .scheme: "does not begin with cutie://"
        case .kind: "is not about a conversation"
        case .authority: "may hold no user name and no port"
        case .fragment: "may hold no #"
        case .path: "must name one conversation and nothing behind it"
        case .identifier: "holds an id that cannot be one"
        case .parameter: "holds something else than account and message behind its ?"
        case .doubledParameter: "names account or message twice"
        case .account: "holds no name of an account behind account="
        }
    }
}
