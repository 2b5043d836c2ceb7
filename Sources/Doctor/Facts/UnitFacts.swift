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
    /// The drop-in with the stricter tier that came with this program; nil where it is not installed.
    var dropIn: String?
}
