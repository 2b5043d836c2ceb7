/// What is fed with bytes from outside. Each looks for more than crashes: what has to hold for any bytes.
public enum Subject: String, CaseIterable, Sendable {
    case eventStream = "event-stream"
    case varlink
    case api
    case config
    case push
    case deepLink = "deep-link"
    case oauth
    case rsd2

    /// Throws `Broken` where these bytes break what has to hold for any.
    public func check(_ bytes: [UInt8]) throws(Broken) {
        switch self {
        case .eventStream: try checkEventStream(bytes)
        case .varlink: try checkVarlink(bytes)
        case .api: try checkAPI(bytes)
        case .config: try checkConfig(bytes)
        case .push: try checkPushPayload(bytes)
        case .deepLink: try checkDeepLink(bytes)
        case .oauth: try checkOAuth(bytes)
        case .rsd2: try checkRSD2(bytes)
        }
    }
}

/// Something that has to hold, and does not.
public struct Broken: Error, CustomStringConvertible {
    public let description: String
}

/// `law` in words that are true of `condition`.
func hold(_ condition: Bool, _ law: @autoclosure () -> String) throws(Broken) {
    guard !condition else { return }
    throw Broken(description: "it does not hold that " + law())
}
