import ControlAPI
import CutieAPI
import Inbox
import Logging
import Store

/// How an account stands with its API. Each change is an entry of the log.
final class AccountStatus {
    let account: AccountID
    private(set) var state = ConnectionState.starting
    private(set) var rung: Rung?
    private(set) var reason: String?
    /// Of `uptime`; nil where nothing is waited for, or nobody knows how long.
    private(set) var nextTry: Duration?
    private let ingest: Ingest
    private let logger: Logger

    init(account: AccountID, ingest: Ingest, logger: Logger) {
        self.account = account
        self.ingest = ingest
        self.logger = logger
    }

    /// The word in `status`; `none` while nothing brings replies.
    var transport: String { state == .connected ? rung?.name ?? "none" : "none" }

    /// It is so even where the store cannot be written: `status` must tell that, too.
    func become(
        _ state: ConnectionState, by rung: Rung? = nil, because reason: String? = nil,
        nextTry: Duration? = nil
    ) {
        self.nextTry = nextTry
        guard (state, rung, reason) != (self.state, self.rung, self.reason) else { return }
        (self.state, self.rung, self.reason) = (state, rung, reason)
        defer { ingest.states.advance() }
        do {
            let details = try JSON.encode(LogDetails(transport: transport, reason: reason))
            try ingest.change(account) { change in
                _ = try change.log(
                    "state", state: state.rawValue, data: String(decoding: details, as: UTF8.self))
            }
            try ingest.regroup()
        } catch is CancellationError {
            // The account was closed meanwhile.
        } catch {
            logger.error("a change of state is not in the log", metadata: ["reason": "\(error)"])
        }
    }
}
