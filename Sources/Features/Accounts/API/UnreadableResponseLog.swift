import CutieAPI
import Logging

/// Counts and logs the parts of API responses and events that could not be decoded, so that data in an
/// unexpected format is not lost silently.
package final class UnreadableResponseLog {
    /// The number of undecodable parts since the daemon started.
    package private(set) var count = 0
    /// A description of the first part that could not be decoded; `nil` if all parts were decoded.
    private var first: String?
    private var logged: Set<String> = []
    /// The parts that decoders discarded and that are not reported yet.
    let parts = UnreadableParts()
    private let logger: Logger

    /// The maximum number of different warnings that are logged. A limit is necessary, because the warnings
    /// contain object keys that the server chooses.
    private static let maxLogged = 50

    init(logger: Logger) { self.logger = logger }

    /// Counts the parts that decoders discarded, and logs each kind once. `secrets`: the secrets of the
    /// request, evaluated only if a part was discarded.
    func reportUnreadableParts(hiding secrets: @autoclosure () -> Redaction = Redaction()) {
        for part in parts.drain() {
            count += 1
            let sentence = secrets().redactingSecrets(in: "\(part)")
            first = first ?? sentence
            guard logged.count < Self.maxLogged, logged.insert(sentence).inserted else { continue }
            logger.warning("unreadable value in an API response", metadata: ["reason": "\(sentence)"])
        }
    }

    /// The warning that the daemon's status contains; `nil` if everything could be decoded.
    package var warning: String? {
        guard let first else { return nil }
        let values = count == 1 ? "1 value" : "\(count) values"
        return
            "\(values) in the API's responses cannot be read (\(first)); report this to the app's developers"
    }
}
