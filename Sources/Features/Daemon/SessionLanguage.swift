import Localization
import Logging
import Platform

/// The language of the session, which may start long after the daemon. The language is queried from the user
/// manager when a notification server appears; there is no polling.
final class SessionLanguage {
    private let session: SessionEnvironment?
    private let logger: Logger
    /// The environment of the session that the user manager last reported; empty before the first report.
    private(set) var variables: [String: String] = [:]

    init(environment: [String: String], logger: Logger) {
        (session, self.logger) = (SessionEnvironment(environment: environment), logger)
    }

    /// Updates the language. Does nothing if the user started the daemon directly, because the environment of
    /// the daemon then already contains the language.
    func followSessionLanguage() async {
        guard let session else { return }
        guard let variables = await session.fetchVariables() else {
            return logger.info("the session language is unknown because the user manager does not respond")
        }
        self.variables = variables
        if !Language.updateCurrent(from: variables) {
            let locale = variables["LC_ALL"] ?? variables["LC_MESSAGES"] ?? variables["LANG"]
            logger.info("the session's locale is not installed", metadata: ["locale": "\(locale ?? "")"])
        }
    }
}
