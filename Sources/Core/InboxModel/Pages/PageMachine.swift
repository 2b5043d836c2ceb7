/// A page as a pure state machine: the inputs are events, and the outputs are actions. The caller sends the
/// calls, reads the streams and updates the view.
public protocol PageMachine: Sendable {
    associatedtype Input: PageInput where Input.Call == Call, Input.CallReply == CallReply
    /// A call with a single result.
    associatedtype Call: Sendable
    associatedtype CallReply: Sendable
    /// A stream that the page follows until the stream ends; `Never` if the page has no stream.
    associatedtype Stream: Sendable = Never

    /// Applies one input and returns the resulting actions.
    mutating func handle(_ input: Input) -> [PageAction<Call, Stream>]
}

/// The inputs that every page accepts.
public protocol PageInput: Sendable {
    associatedtype Call: Sendable
    associatedtype CallReply: Sendable

    static func answered(_ call: Call, _ answer: CallReply) -> Self
    static func failed(_ call: Call, _ failure: CallFailure) -> Self
}

/// An effect that the caller performs for a page.
public enum PageAction<Call: Sendable, Stream: Sendable>: Sendable {
    case call(Call)
    /// Starts a stream. If a stream is already running, stops it first.
    case follow(Stream)
    case stopFollowing
    case showToast(String)
}

extension PageAction: Equatable where Call: Equatable, Stream: Equatable {}
