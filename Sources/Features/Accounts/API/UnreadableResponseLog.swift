import CutieAPI
import Logging

/// A counter of the parts of an API's answers and events that were discarded because they cannot be read.
/// Without it, replies of a server with another format would be lost silently.
package final class UnreadableResponseLog {
    /// The number since the start.
    package private(set) var count = 0
    /// A message about the first part that could not be read.
    private var first: String?
    private var logged: Set<String> = []
    /// The parts that decoders discarded and that are not yet reported.
    let parts = UnreadableParts()
    private let logger: Logger

    /// Limits the log: the server chooses the keys of some objects, so the number of kinds is unbounded.
    private static let maxLogged = 50

    init(logger: Logger) { self.logger = logger }

    /// Counts the parts that decoders discarded, and logs each kind once. `secrets`: the secrets of the call.
    func report(hiding secrets: Redaction = Redaction()) {
        for part in parts.removeAll() {
            count += 1
            let sentence = secrets.redact(in: "\(part)")
            first = first ?? sentence
            guard logged.count < Self.maxLogged, logged.insert(sentence).inserted else { continue }
            logger.warning("unreadable value in an API response", metadata: ["reason": "\(sentence)"])
        }
    }

    /// The warning in the status.
    package var warning: String? {
        guard let first else { return nil }
        let values = count == 1 ? "1 value" : "\(count) values"
        return
            "\(values) in the API's responses cannot be read (\(first)); report this to the app's developers"
    }
}
