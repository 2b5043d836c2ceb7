/// How long a call may take.
public enum Timeouts: Hashable, Sendable {
    /// 30 s for the answer to begin, 60 s for the whole transfer.
    case request
    /// The server holds the answer back for so many seconds before the usual time begins.
    case longPoll(seconds: Int)
    /// Without an end; silence on the line is the caller's to judge.
    case stream

    /// Until the answer's headers are there.
    public var answer: Duration {
        switch self {
        case .request, .stream: .seconds(30)
        case .longPoll(let seconds): .seconds(30 + seconds)
        }
    }

    /// For everything; nil is without an end.
    public var whole: Duration? {
        switch self {
        case .request: .seconds(60)
        case .longPoll(let seconds): .seconds(60 + seconds)
        case .stream: nil
        }
    }
}
