import Config

/// The configuration as the daemon would find it.
struct ConfigurationFacts: Sendable {
    enum Outcome: Sendable {
        case read(Configuration)
        case invalid(ConfigurationError)
        /// Why.
        case unreadable(String)
    }

    static let checkName = "config"

    /// nil where there is none.
    var file: String?
    /// Where a person's own one would be.
    var ownFile: String
    var outcome: Outcome

    var accounts: [AccountConfiguration] {
        if case .read(let configuration) = outcome { configuration.accounts } else { [] }
    }

    var opener: [String]? {
        if case .read(let configuration) = outcome { configuration.opener } else { nil }
    }
}
