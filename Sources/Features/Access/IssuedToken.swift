package import CutieAPI
package import RSD2
import Store

/// An app's token for a service. The refresh token stays in the daemon.
package struct IssuedToken {
    /// The service with only the requested protocols.
    package let service: ServiceDescription
    package let token: String
    package let expiresAt: Timestamp?
    /// The seconds until `expiresAt`; the largest 32-bit number if the token does not expire. The field
    /// `expires_in` of the NAIL protocol requires a number, and zero would mean that the token has expired.
    package let secondsLeft: Int64
    package let scope: String?

    /// Creates the token that the app receives. `end`: the latest expiry to report; `nil` if only the token's
    /// own expiry applies.
    init(
        for entry: ServiceDirectory.Entry, protocols: [String], token: TokenTree.DecryptedToken,
        until end: Timestamp?, now: Timestamp
    ) {
        service = entry.description.restricted(to: protocols)
        self.token = token.token.rawValue
        expiresAt = [token.record.expiresAt, end].compactMap(\.self).min()
        secondsLeft =
            expiresAt.map { max(0, ($0.milliseconds - now.milliseconds) / 1000) } ?? Int64(Int32.max)
        scope = token.record.scope
    }
}
