/// The kind of server at the other end of a call. A failure names it, so that a person looks in the right place.
public enum ServerRole: String, Hashable, Sendable {
    case api
    case issuer
    /// A service of an institution, as its description names it.
    case service

    public var name: String {
        switch self {
        case .api: "the API"
        case .issuer: "the issuer"
        case .service: "the service"
        }
    }

    /// What to do if another server than the expected one answers; `nil` if no setting names the server.
    public var advice: String? {
        switch self {
        case .api: "set api_url to the right address"
        case .issuer: "set `issuer` to the right address"
        case .service: nil
        }
    }
}
