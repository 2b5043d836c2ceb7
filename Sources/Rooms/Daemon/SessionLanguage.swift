import Localization
import Logging
import Platform

/// The language of the session, which may begin long after the daemon: at each notification server that is met
/// the user manager is asked anew. Nothing else asks, and there is no timer.
final class SessionLanguage {
    private let session: SessionEnvironment?
    private let logger: Logger
    /// The environment of the session, as the user manager reported it last; empty before that.
    private(set) var variables: [String: String] = [:]

    init(environment: [String: String], logger: Logger) {
        (session, self.logger) = (SessionEnvironment(environment: environment), logger)
    }

    /// Where the daemon was started by a person, their environment is known from the start.
    func follow() async {
        guard let session else { return }
        guard let variables = await session.variables() else {
            return logger.info("the session's language is not known: the user manager does not answer")
        }
        self.variables = variables
        if !Language.follow(variables) {
            let locale = variables["LC_ALL"] ?? variables["LC_MESSAGES"] ?? variables["LANG"]
            logger.info("the session's locale is not installed", metadata: ["locale": "\(locale ?? "")"])
        }
    }
}
