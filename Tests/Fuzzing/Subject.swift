/// A parser of external input that can be fuzzed. Its check tests properties that must hold for any input, in
/// addition to the absence of crashes.
public enum Subject: String, CaseIterable, Sendable {
    case eventStream = "event-stream"
    case varlink
    case api
    case config
    case push
    case deepLink = "deep-link"
    case oauth
    case rsd2

    /// Checks the properties of this subject with the input `bytes`.
    ///
    /// - Throws: `Broken` if a property does not hold for `bytes`.
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

/// The error thrown if a property does not hold.
public struct Broken: Error, CustomStringConvertible {
    public let description: String
}

/// Throws an error if `condition` is false. `law` describes the property that must hold.
func hold(_ condition: Bool, _ law: @autoclosure () -> String) throws(Broken) {
    guard !condition else { return }
    throw Broken(description: "it does not hold that " + law())
}
