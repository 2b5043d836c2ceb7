/// The kind of server that a call went to. Errors name it so that the user checks the right server.
public enum ServerRole: String, Hashable, Sendable {
    case api
    case issuer
    /// A service of an institution, as named in its description.
    case service

    public var name: String {
        switch self {
        case .api: "the API"
        case .issuer: "the issuer"
        case .service: "the service"
        }
    }

    /// The setting to correct if an unexpected server answers; `nil` if no setting names the server.
    public var advice: String? {
        switch self {
        case .api: "set api_url to the right address"
        case .issuer: "set `issuer` to the right address"
        case .service: nil
        }
    }
}
