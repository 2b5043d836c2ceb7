import Config
import Inbox

/// How a connection ended.
enum Ending {
    /// At once again, for instance to try a better transport.
    case restart
    /// Nothing can be reached: no attempt until the network changes.
    case noNetwork
    /// The transport does not work here; held back, where it was accepted and then nothing came. `floor`: the
    /// server's Retry-After.
    case stepDown(String, isHeldBack: Bool = false, floor: Duration? = nil)
    /// The server ended the stream properly; it wants to be asked again within this time.
    case ended(retry: Duration)
    case failure(APIFailure)
    /// What the API told could not be written down here; it was not at fault.
    case notStored(String)
}

/// The server was reached and does not give a transport now, which may heal. `floor`: its Retry-After.
struct TransportRefusal: Error {
    let sentence: String
    let floor: Duration?
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
