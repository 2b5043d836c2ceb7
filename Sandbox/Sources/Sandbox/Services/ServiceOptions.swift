/// The configuration of a second service, which is independent of the issuer but accepts its assertions.
public struct ServiceOptions: Sendable {
    public var host = "127.0.0.1"
    /// 0 selects any free port.
    public var port = 0
    /// The URL of the issuer that authenticates users.
    public var issuer: String
    /// The name of the service in its description.
    public var name = "A service"
    public var protocols = ["com.cuti-e.conversations", "com.cuti-e.replies", "com.cuti-e.staff"]
    /// The lifetime of an access token in seconds.
    public var tokenLife = 3600
    public var faults: Set<ServiceFault> = []
    /// The paths and the format of the published description.
    public var form = DescriptionForm.list
    /// The way in which the description refers to the root of the service.
    public var engine = EngineForm.absolute

    public init(issuer: String) { self.issuer = issuer }
}

/// The forms of the RSD2 specification in which a service may publish its description.
public enum DescriptionForm: String, CaseIterable, Sendable {
    /// `services.txt`, which links to `rsd.json` and `rsd.yaml`.
    case list
    /// The file `services.txt` contains the description itself.
    case listDocument = "list-document"
    /// A `<link rel="ServiceAPI">` in the front page.
    case page
    /// The front page is the description itself.
    case pageDocument = "page-document"
    /// The service publishes only `rsd.json`.
    case json
    /// The service publishes only `rsd.yaml`.
    case yaml
}

/// The ways in which a description can refer to the root of the service.
public enum EngineForm: String, CaseIterable, Sendable {
    case absolute
    /// Relative to `homePageLink`.
    case relative
    /// An empty string, as in the descriptions of Moodle. The root is then `homePageLink`.
    case empty
    /// No `engineLink` and no `engineName`.
    case absent
}

/// Errors of a service, to test clients against them.
public enum ServiceFault: String, CaseIterable, Sendable {
    /// All assertions about users are refused.
    case refuseAssertions = "refuse-assertions"
    /// The description is truncated.
    case brokenDescription = "broken-description"
    /// The description is larger than 1 MiB.
    case hugeDescription = "huge-description"
    /// The description is XML, as in version 1 of RSD.
    case xmlDescription = "xml-description"
    /// The API links of the description point to another origin, which must not receive the token.
    case foreignLink = "foreign-link"
    /// The description redirects to another origin.
    case redirect
    /// The description redirects to another path of the same origin.
    case movedDescription = "moved-description"

    /// Whether a client cannot read the description because of this fault.
    var spoilsDescription: Bool {
        switch self {
        case .brokenDescription, .hugeDescription, .xmlDescription, .redirect: true
        case .refuseAssertions, .foreignLink, .movedDescription: false
        }
    }
}
