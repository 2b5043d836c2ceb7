import ControlAPI
import Threads
import Varlink
import VarlinkSocket

/// The daemon at the other end of its socket: a connection for each call and each stream.
struct DaemonClient: Sendable {
    var path: String
    /// How long a daemon that is not there yet is waited for.
    var patience: Duration

    enum Next { case goOn, enough }

    /// Longer than any verb takes: the daemon itself gives up on the API after 5 s.
    private static let answerLimit = Duration.seconds(30)
    private static let faults = FaultCatalog(ControlInterface.faults)

    /// Throws `DaemonGone` or a `Complaint`.
    func call<Method: ControlMethod>(_ method: Method) async throws -> Answer<Method.Reply> {
        try await inWords {
            let json = try await connection().callRaw(method, timeout: Self.answerLimit)
            return Answer(try Reply(parametersJSON: json).parameters(as: Method.Reply.self), json: json)
        }
    }

    /// As `call`, but throws the daemon's own errors as they are.
    func attempt<Method: ControlMethod>(_ method: Method) async throws -> Method.Reply {
        do {
            let json = try await connection().callRaw(method, timeout: Self.answerLimit)
            return try Reply(parametersJSON: json).parameters(as: Method.Reply.self)
        } catch let fault as any ControlFault {
            throw fault
        } catch {
            throw words(for: error)
        }
    }

    /// Hands each reply to `each`, until that has enough or the stream ends. Throws as `call`, and what
    /// `each` throws.
    func follow<Method: ControlMethod>(
        _ method: Method, each: (Answer<Method.Reply>) async throws -> Next
    ) async throws {
        try await inWords {
            for try await reply in try await connection().stream(method) {
                if try await each(Answer(reply.value, json: reply.json)) == .enough { return }
            }
        }
    }

    /// The same daemon, for which nobody waits.
    var impatient: DaemonClient { DaemonClient(path: path, patience: .zero) }

    private func connection() async throws -> Client {
        let deadline = ContinuousClock.now + patience
        while true {
            do { return try await Client(path: path, faults: Self.faults) } catch SocketFailure.notRunning {
                guard ContinuousClock.now < deadline else { throw SocketFailure.notRunning(path: path) }
                try await EventLoop.shared.sleep(for: .milliseconds(25))
            }
        }
    }

    private func inWords<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw words(for: error) }
    }

    private func words(for error: any Error) -> any Error {
        switch error {
        case SocketFailure.notRunning: DaemonGone(path: path, cause: .notRunning)
        case SocketFailure.timedOut: DaemonGone(path: path, cause: .tooSlow)
        case SocketFailure.peerGone: DaemonGone(path: path)
        case let failure as SocketFailure: Complaint(.unreachable, failure.description)
        default: Complaint(fromDaemon: error) ?? error
        }
    }
}
