public import Reasons

/// The role of the server that a call was sent to. An error contains the role, so that the user checks the
/// right server.
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

    /// The advice to check the setting that contains the server's address; `nil` if no setting contains the
    /// address.
    public var advice: Reason? {
        switch self {
        case .api: Reason(.setAPIAddress)
        case .issuer: Reason(.setIssuerAddress)
        case .service: nil
        }
    }
}
