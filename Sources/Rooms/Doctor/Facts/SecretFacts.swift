import ControlAPI

/// Where the daemon keeps its secrets: it alone has the credential and the bus that decide it.
enum SecretFacts: Sendable {
    case told(GetSecretPlace.Reply)
    case unknown
}
