/// What systemd knows of the daemon, and whether it may do for it what the stricter unit asks for.
struct UnitFacts: Sendable {
    /// What a program of systemd answers.
    enum Word: Hashable, Sendable {
        case said(String)
        /// There is no such program here.
        case noProgram
        /// There is nobody it can ask; in its words.
        case nobody(String)
    }

    /// Why systemd could not start the program in the sandbox that the unit asks for: its exit codes for it.
    enum SandboxFailure: Int32, Sendable {
        case user = 217
        case capabilities = 218
        case namespace = 226

        /// As systemd writes it.
        var words: String {
            switch self {
            case .user: "217/USER"
            case .capabilities: "218/CAPABILITIES"
            case .namespace: "226/NAMESPACE"
            }
        }
    }

    /// `enabled`, `disabled`, `not-found` ...
    var enabled: Word
    /// `active`, `inactive`, `failed` ...
    var active: Word
    /// Whether a display is there: its session starts the user manager.
    var hasDisplay: Bool
    /// nil where nobody knows.
    var lingers: Bool?
    /// Whether this user may make user namespaces; nil where that could not be tried.
    var namespacesWork: Bool?
    /// Whether the stricter tier is in force; nil where nobody knows.
    var isHardened: Bool?
    /// The drop-in in force with the stricter tier; nil where there is none of its name.
    var hardeningFile: String?
    /// nil where its last start did not fail so.
    var sandboxFailure: SandboxFailure?
    /// The drop-in with the stricter tier that came with this program; nil where it is not installed.
    var dropIn: String?
}
