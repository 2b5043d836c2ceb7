public import Reasons

extension NotSent {
    /// The reasons why the API rejected a message.
    public enum Cause: String, Sendable {
        case refused, notAuthorized, notFound
    }

    public init(outboxId: String, cause: Cause, reason: String, waiting: Bool? = nil) {
        self.init(outboxId: outboxId, cause: cause.rawValue, reason: reason, waiting: waiting)
    }
}

/// A type with fields for the code and the arguments of a reason. The English message is in another field:
/// `reason`, or `error` of `OutboxItem`.
public protocol HasReasonFields {
    var reasonCode: String? { get set }
    var reasonArguments: [String: String]? { get set }
}

extension HasReasonFields {
    /// Returns a copy with the code and the arguments of `reason`. The field with the English message is not
    /// changed.
    public func withReasonFields(of reason: Reason?) -> Self {
        var value = self
        (value.reasonCode, value.reasonArguments) = (reason?.code?.rawValue, reason?.argumentFields)
        return value
    }
}

/// A type in which `reason` is never `nil`.
public protocol HasReason: HasReasonFields {
    var reason: String { get }
}

extension HasReason {
    public var reasonValue: Reason { Reason(text: reason, code: reasonCode, arguments: reasonArguments) }
}

extension InvalidArgument: HasReason {}
extension NotAuthorized: HasReason {}
extension Offline: HasReason {}
extension NotOffered: HasReason {}
extension Refused: HasReason {}
extension ServerError: HasReason {}
extension InvalidResponse: HasReason {}
extension NotConfigured: HasReason {}
extension InvalidConfiguration: HasReason {}
extension NotSent: HasReason {}
extension Failed: HasReason {}
extension SignInRequired: HasReason {}
extension AccessDenied: HasReason {}
extension CodeExpired: HasReason {}
extension InsufficientScope: HasReason {}
extension PresenceRequired: HasReason {}
extension ReasonView: HasReason {}

/// A type in which `reason` can be `nil`.
public protocol MayHaveReason: HasReasonFields {
    var reason: String? { get }
}

extension MayHaveReason {
    public var reasonValue: Reason? { Reason(text: reason, code: reasonCode, arguments: reasonArguments) }
}

extension AccountView: MayHaveReason {}
extension LogDetails: MayHaveReason {}
extension SessionView: MayHaveReason {}
extension AttestationView: MayHaveReason {}
extension PushRegistrationView: MayHaveReason {}
extension GetSubscription.Reply: MayHaveReason {}

extension OutboxItem: HasReasonFields {
    /// The reason why the item is pending or was not sent; `nil` if there is none.
    public var reasonValue: Reason? { Reason(text: error, code: reasonCode, arguments: reasonArguments) }
}

extension ReasonView {
    public init(_ reason: Reason) {
        self.init(
            reason: reason.english, reasonCode: reason.code?.rawValue, reasonArguments: reason.argumentFields)
    }
}

/// Returns the reasons in `views`. If `views` is `nil`, because the daemon is too old to send reason codes,
/// returns the messages in `texts` as reasons.
public func decodeReasons(from views: [ReasonView]?, fallbackMessages texts: [String]) -> [Reason] {
    views.map { $0.map(\.reasonValue) } ?? texts.map(Reason.text)
}
