import CutieAPI
import Store

/// Whose an app's token is: what its row has as its subject. Services that share a token endpoint, and persons who use
/// the same account one after the other, each have their own: else an app would get a token that was made for another
/// service, or for somebody who allowed it nothing.
struct AppTokenOwner: Hashable {
    /// As the app calls itself to services.
    let client: String
    /// Tells the app from all others.
    let identity: String
    /// The service's `engineLink`.
    let service: String
    /// As the issuer calls them.
    let person: String

    init(client: String, identity: String, service: String, person: String) {
        (self.client, self.identity, self.service, self.person) = (client, identity, service, person)
    }

    /// nil where the token is of no app, or its row of an earlier version, which named neither service nor person.
    init?(of token: TokenRecord) {
        guard token.kind == .app, let parts = try? JSON.decode([String].self, from: token.subject.utf8),
            parts.count == 4
        else { return nil }
        self.init(client: parts[0], identity: parts[1], service: parts[2], person: parts[3])
    }

    /// A list, and not words with spaces between: what an app calls itself may have spaces.
    var subject: String {
        let parts = [client, identity, service, person]
        return (try? JSON.encode(parts)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
