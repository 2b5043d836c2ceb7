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
    /// - Throws: `PropertyViolation` if a property does not hold for `bytes`.
    public func check(_ bytes: [UInt8]) throws(PropertyViolation) {
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
public struct PropertyViolation: Error, CustomStringConvertible {
    public let description: String
}

/// Throws an error if `condition` is false. `law` describes the property that must hold.
func require(_ condition: Bool, _ law: @autoclosure () -> String) throws(PropertyViolation) {
    guard !condition else { return }
    throw PropertyViolation(description: "it does not hold that " + law())
}
