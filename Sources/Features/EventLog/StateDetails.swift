package import Reasons

/// The details of a log entry about the state of an account, stored as JSON.
package struct StateDetails: Encodable {
    private let transport: String
    private let reason: String?
    private let reasonCode: String?
    private let reasonArguments: [String: String]?

    /// Creates the details of a state. `transport`: `none` if there is no connection.
    package init(transport: String, reason: Reason?) {
        (self.transport, self.reason) = (transport, reason?.english)
        (reasonCode, reasonArguments) = (reason?.code?.rawValue, reason?.argumentFields)
    }
}
