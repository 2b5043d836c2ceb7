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
    /// The places and the form in which the service publishes its description.
    public var form = DescriptionForm.list
    /// How the description names the root of the service.
    public var engine = EngineForm.absolute

    public init(issuer: String) { self.issuer = issuer }
}

/// The forms of the RSD2 specification in which a service may publish its description.
public enum DescriptionForm: String, CaseIterable, Sendable {
    /// `services.txt`, which links to `rsd.json` and `rsd.yaml`.
    case list
    /// The description itself under the name `services.txt`.
    case listDocument = "list-document"
    /// A `<link rel="ServiceAPI">` in the front page.
    case page
    /// The description itself as the front page.
    case pageDocument = "page-document"
    /// `rsd.json` alone.
    case json
    /// `rsd.yaml` alone.
    case yaml
}

/// How a description names the root of the service.
public enum EngineForm: String, CaseIterable, Sendable {
    case absolute
    /// Relative to `homePageLink`.
    case relative
    /// An empty text: the root is `homePageLink`, as Moodle writes it.
    case empty
    /// No `engineLink` and no `engineName`.
    case absent
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
