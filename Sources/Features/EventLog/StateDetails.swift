/// The details of a log entry about the state of an account, stored as JSON.
package struct StateDetails: Encodable {
    private let transport: String
    private let reason: String?

    /// `transport`: `none` if there is no connection.
    package init(transport: String, reason: String?) { (self.transport, self.reason) = (transport, reason) }
}
