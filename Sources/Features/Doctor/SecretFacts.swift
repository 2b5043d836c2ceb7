import ControlAPI
import ControlClient
import Platform
import Reasons

/// The storage of secrets that the daemon reports. Only the daemon can report the storage, which depends on
/// the daemon's credential and bus connection.
enum SecretFacts: Sendable {
    case reported(GetSecretPlace.Reply)
    case unknown
}

extension SecretFacts {
    init(asking environment: [String: String]) async {
        do {
            let path = try Paths(environment: environment).controlSocketPath()
            let client = DaemonClient(path: path, timeout: .zero, connectTimeout: .seconds(2))
            self = .reported(try await client.call(GetSecretPlace(), timeout: .seconds(7)).reply)
        } catch {
            self = .unknown
        }
    }
}

extension SecretFacts {
    var check: Check {
        let name = "secrets"
        guard case .reported(let facts) = self else {
            return Check(name, .skipped, "unknown (the daemon did not answer)")
        }
        if let note = decodeReasons(from: facts.noteReasons, fallbackMessages: facts.notes).first {
            return Check(name, .warning, note)
        }
        guard let problem = facts.problemReason?.reasonValue ?? facts.problem.map(Reason.text) else {
            return Check(name, .ok, Self.locationText(of: facts))
        }
        // Warn only if the configured secret service is not available; a file is a valid storage.
        let isLost = facts.place == "secret-service"
        return Check(
            name, isLost ? .warning : .ok, "\(Self.locationText(of: facts)): \(problem.englishProblem)",
            advice: isLost ? problem.englishAdvice : nil)
    }

    private static func locationText(of facts: GetSecretPlace.Reply) -> String {
        let place =
            switch facts.place {
            case "secret-service": "in the secret service"
            case "sealed-file": "in \(facts.path), encrypted with the systemd credential"
            default: "in \(facts.path), unencrypted, readable only by you"
            }
        let other = facts.place == "secret-service" ? "file" : "secret service"
        return facts.waiting == 0 ? place : "\(place); \(facts.waiting) still in the \(other)"
    }
}
