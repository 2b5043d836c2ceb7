import CutieAPI
import Logging

/// Counts the parts of an API's answers and events that were discarded because they cannot be read. Without it, a server
/// that writes its answers in another way would lose replies in silence.
package final class UnreadableAnswers {
    /// Since the start.
    package private(set) var count = 0
    /// The first part that could not be read, as a sentence.
    private var first: String?
    private var logged: Set<String> = []
    /// Where decoders put what they discard.
    let parts = UnreadableParts()
    private let logger: Logger

    /// The keys of some objects are the server's.
    private static let mostLogged = 50

    init(logger: Logger) { self.logger = logger }

    /// Counts the parts that decoders discarded, and logs each kind once. `secrets`: of the call.
    func report(hiding secrets: Redaction = Redaction()) {
        for part in parts.takeAll() {
            count += 1
            let sentence = secrets.hide(in: "\(part)")
            first = first ?? sentence
            guard logged.count < Self.mostLogged, logged.insert(sentence).inserted else { continue }
            logger.warning("the API sent something unreadable", metadata: ["reason": "\(sentence)"])
        }
    }

    /// What the status says.
    package var warning: String? {
        guard let first else { return nil }
        let values = count == 1 ? "1 value" : "\(count) values"
        return "\(values) of the API's answers cannot be read (\(first)); report it to the makers of the app"
    }
}
