/// The configuration of a second service. The service accepts assertions of an issuer but otherwise does not
/// depend on the issuer.
public struct ServiceOptions: Sendable {
    public var host = "127.0.0.1"
    /// The TCP port of the service; 0 selects a free port.
    public var port = 0
    /// The URL of the issuer that authenticates users.
    public var issuer: String
    /// The display name of the service, published in its description.
    public var name = "A service"
    public var protocols = ["com.cuti-e.conversations", "com.cuti-e.replies", "com.cuti-e.staff"]
    /// The lifetime of an access token, in seconds.
    public var tokenLife = 3600
    public var faults: Set<ServiceFault> = []
    /// The location and format of the published description.
    public var form = DescriptionForm.list
    /// The form of `engineLink` (the root URL of the service) in the description.
    public var engine = EngineForm.absolute

    public init(issuer: String) { self.issuer = issuer }
}

/// A location and format that the RSD2 specification allows for a service description.
public enum DescriptionForm: String, CaseIterable, Sendable {
    /// The file `services.txt` lists the URLs of `rsd.json` and `rsd.yaml`.
    case list
    /// The file `services.txt` itself is the description.
    case listDocument = "list-document"
    /// The front page contains `<link rel="ServiceAPI">` with the URL of the description.
    case page
    /// The front page is the description.
    case pageDocument = "page-document"
    /// The service publishes only `rsd.json`.
    case json
    /// The service publishes only `rsd.yaml`.
    case yaml
}

/// The form of `engineLink` in a service description.
public enum EngineForm: String, CaseIterable, Sendable {
    case absolute
    /// A URL relative to `homePageLink`.
    case relative
    /// An empty string, as in the descriptions of Moodle: clients must use `homePageLink` instead.
    case empty
    /// The description has no `engineLink` and no `engineName`.
    case absent
}

/// A simulated fault of a service, for client tests.
public enum ServiceFault: String, CaseIterable, Sendable {
    /// The service refuses all assertions about users.
    case refuseAssertions = "refuse-assertions"
    /// The service description is truncated.
    case brokenDescription = "broken-description"
    /// The service description is larger than 1 MiB.
    case hugeDescription = "huge-description"
    /// The service description is in the XML format of RSD version 1.
    case xmlDescription = "xml-description"
    /// The API links in the description point to another origin. A client must not send its token to that
    /// origin.
    case foreignLink = "foreign-link"
    /// A request for the description is redirected to another origin.
    case redirect
    /// A request for the description is redirected to another path of the same origin.
    case movedDescription = "moved-description"

    /// Whether the fault prevents clients from reading the description.
    var spoilsDescription: Bool {
        switch self {
        case .brokenDescription, .hugeDescription, .xmlDescription, .redirect: true
        case .refuseAssertions, .foreignLink, .movedDescription: false
        }
    }
}
