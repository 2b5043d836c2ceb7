import Localization
import Logging
import Platform

/// The language of the session, which may begin long after the daemon. It is queried from the user manager
/// whenever a notification server appears; there is no timer.
final class SessionLanguage {
    private let session: SessionEnvironment?
    private let logger: Logger
    /// The environment of the session as last reported by the user manager; empty before that.
    private(set) var variables: [String: String] = [:]

    init(environment: [String: String], logger: Logger) {
        (session, self.logger) = (SessionEnvironment(environment: environment), logger)
    }

    /// Updates the language. If a person started the daemon, its own environment already contains the
    /// language, and there is no session to query.
    func follow() async {
        guard let session else { return }
        guard let variables = await session.variables() else {
            return logger.info("the session language is unknown because the user manager does not respond")
        }
        self.variables = variables
        if !Language.follow(variables) {
            let locale = variables["LC_ALL"] ?? variables["LC_MESSAGES"] ?? variables["LANG"]
            logger.info("the session's locale is not installed", metadata: ["locale": "\(locale ?? "")"])
        }
    }
}
