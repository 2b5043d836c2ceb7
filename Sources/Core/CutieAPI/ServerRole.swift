public import Reasons

/// The kind of server that a call was sent to. Errors contain the kind, so that the user checks the right
/// server.
public enum ServerRole: String, Hashable, Sendable {
    case api
    case issuer
    /// A service of an institution.
    case service

    public var name: String {
        switch self {
        case .api: "the API"
        case .issuer: "the issuer"
        case .service: "the service"
        }
    }

    /// The setting to check if an unexpected server responds; `nil` if no setting contains the server's
    /// address.
    public var advice: Reason? {
        switch self {
        case .api: Reason(.setAPIAddress)
        case .issuer: Reason(.setIssuerAddress)
        case .service: nil
        }
    }
}
