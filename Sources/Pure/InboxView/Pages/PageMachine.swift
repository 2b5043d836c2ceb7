/// A page as a state machine: something happens, and it says what to do. Who runs it asks the daemon, follows its
/// streams and shows what there is.
public protocol PageMachine: Sendable {
    associatedtype Input: PageInput where Input.Call == Call, Input.Answer == Answer
    /// What the daemon is asked once.
    associatedtype Call: Sendable
    associatedtype Answer: Sendable
    /// What is followed until it ends; `Never` where a page follows nothing.
    associatedtype Stream: Sendable = Never

    /// What to do about `input`.
    mutating func next(_ input: Input) -> [PageAction<Call, Stream>]
}

/// What happens to every page.
public protocol PageInput: Sendable {
    associatedtype Call: Sendable
    associatedtype Answer: Sendable

    static func answered(_ call: Call, _ answer: Answer) -> Self
    static func failed(_ call: Call, _ failure: CallFailure) -> Self
}

/// What a page wants to be done.
public enum PageAction<Call: Sendable, Stream: Sendable>: Sendable {
    case call(Call)
    /// One that is followed already ends.
    case follow(Stream)
    case stopFollowing
    /// In passing.
    case tell(String)
}

extension PageAction: Equatable where Call: Equatable, Stream: Equatable {}
