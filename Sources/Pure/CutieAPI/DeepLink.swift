/// A `cutie://` link, which the desktop hands to `cutied open`.
public enum DeepLink: Hashable, Sendable {
    /// `cutie://conversation/<id>[?account=NAME&message=ID]` shows a thread.
    case conversation(Conversation.ID, account: String? = nil, message: Message.ID? = nil)
    /// `cutie://link?token=TOKEN` hands the account of a host app over to the Feedback App.
    case app(FeedbackToken)
}

extension DeepLink {
    /// The link itself; reading it gives the same value back. That of an app holds its token.
    public var text: String {
        switch self {
        case .conversation(let id, let account, let message):
            let query = [account.map { ("account", $0) }, message.map { ("message", $0.rawValue) }]
                .compactMap { pair in pair.map { $0.0 + "=" + PercentEncoding.encode($0.1) } }
            return Self.scheme + "conversation/" + PercentEncoding.encode(id.rawValue)
                + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        case .app(let token): return Self.scheme + "link?token=" + PercentEncoding.encode(token.rawValue)
        }
    }
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
        case token
    }
}

extension DeepLink.Invalid: CustomStringConvertible {
    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .tooLong: "is longer than \(DeepLink.longest) bytes"
        case .characters: "holds characters that no link has"
        case .scheme: "does not begin with cutie://"
        case .kind: "is neither about a conversation nor about an app"
        case .authority: "may hold no user name and no port"
        case .fragment: "may hold no #"
        case .path: "must name one conversation, or no path where it is about an app"
        case .identifier: "holds an id that cannot be one"
        case .parameter: "holds something behind its ? that does not belong there"
        case .doubledParameter: "says the same thing twice behind its ?"
        case .account: "holds no name of an account behind account="
        case .token: "holds no token that could be one"
        }
    }
}
