import Config
import Inbox

/// How a connection ended.
enum Ending {
    /// At once again.
    case restart
    /// Nothing can be reached: no attempt until the network changes.
    case noNetwork
    /// A transport brings nothing any more.
    case setback(Setback)
    case failure(APIFailure)
    /// What the API told could not be written down here; it was not at fault.
    case notStored(String)
}

/// What ended a transport, or kept it from beginning.
struct Setback {
    var fault: Ladder.Fault
    /// The server ended it properly; it wants to be asked again within this time.
    var retry: Duration?

    init(_ fault: Ladder.Fault, retry: Duration? = nil) { (self.fault, self.retry) = (fault, retry) }

    init(_ sentence: String, retry: Duration? = nil) { self.init(Ladder.Fault(sentence), retry: retry) }
}

/// The server was reached, and gives no answer where a stream is asked for.
struct HeldBack: Error {
    let sentence: String
}

extension Rung {
    /// The only transport that the configuration allows; nil for `auto`.
    init?(_ transport: AccountConfiguration.Transport) {
        switch transport {
        case .auto: return nil
        case .stream: self = .stream
        case .longPoll: self = .longPoll
        case .poll: self = .poll
        }
    }
}
