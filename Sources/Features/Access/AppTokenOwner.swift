import CutieAPI
import Store

/// The owner of an app's token, stored as the subject of the token's row. The owner includes the service and
/// the user: otherwise, an app could get a token for another service with the same token endpoint, or the
/// token of a user who has granted nothing.
struct AppTokenOwner: Hashable {
    /// The app's client ID at services.
    let client: String
    /// The app's identity according to the system.
    let identity: String
    /// The service's `engineLink`.
    let service: String
    /// The user's subject identifier at the issuer.
    let person: String

    init(client: String, identity: String, service: String, person: String) {
        (self.client, self.identity, self.service, self.person) = (client, identity, service, person)
    }

    /// Parses the subject of a token's row; `nil` if the token is not an app's token, or if a previous
    /// version stored the token without the service and the user.
    init?(of token: TokenRecord) {
        guard token.kind == .app, let parts = try? JSON.decode([String].self, from: token.subject.utf8),
            parts.count == 4
        else { return nil }
        self.init(client: parts[0], identity: parts[1], service: parts[2], person: parts[3])
    }

    /// The four fields as a JSON list. A client ID may contain spaces, so a space cannot separate the fields.
    var subject: String {
        let parts = [client, identity, service, person]
        return (try? JSON.encode(parts)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
