/// How a second service is to be served, of another house than the issuer whose word it takes.
public struct ServiceOptions: Sendable {
    public var host = "127.0.0.1"
    /// 0 is any free one.
    public var port = 0
    /// Who vouches for persons.
    public var issuer: String
    /// As its description calls it.
    public var name = "A service"
    public var protocols = ["com.cuti-e.conversations", "com.cuti-e.replies", "com.cuti-e.staff"]
    /// Seconds that an access token is good.
    public var tokenLife = 3600
    public var faults: Set<ServiceFault> = []

    public init(issuer: String) { self.issuer = issuer }
}

/// What a service may do wrong, so that clients can be tried with it.
public enum ServiceFault: String, CaseIterable, Sendable {
    /// No assertion about a person counts.
    case refuseAssertions = "refuse-assertions"
    /// The description ends in the middle.
    case brokenDescription = "broken-description"
    /// It has more than a mebibyte.
    case hugeDescription = "huge-description"
    /// It is XML, as it was before version 2.
    case xmlDescription = "xml-description"
    /// It leads with the token to another origin.
    case foreignLink = "foreign-link"
    /// It is at another origin.
    case redirect
    /// It is at another place of the same origin.
    case movedDescription = "moved-description"

    /// Whether a client that asks for the description gets another thing than one.
    var spoilsDescription: Bool {
        switch self {
        case .brokenDescription, .hugeDescription, .xmlDescription, .redirect: true
        case .refuseAssertions, .foreignLink, .movedDescription: false
        }
    }
}
