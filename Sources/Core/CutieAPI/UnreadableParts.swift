import Synchronization

/// A collector for the parts of responses that could not be decoded and were discarded.
public final class UnreadableParts: Sendable {
    private let parts = Mutex<[UnreadableJSON]>([])

    public init() {}

    public var isEmpty: Bool { parts.withLock { $0.isEmpty } }

    /// Removes and returns the collected parts.
    public func drain() -> [UnreadableJSON] {
        parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
    }

    func add(_ part: UnreadableJSON) {
        parts.withLock { $0.append(part.withoutPositions) }
    }
}

extension UnreadableJSON {
    /// The error without list indexes, such as `events[].id`, so that the errors of all elements of a list
    /// are equal.
    fileprivate var withoutPositions: UnreadableJSON {
        let pieces = path.split(separator: "[", omittingEmptySubsequences: false)
        let path = pieces.dropFirst().reduce(String(pieces.first ?? "")) { path, piece in
            path + "[" + piece.drop { $0 != "]" }
        }
        return UnreadableJSON(path: path, problem: problem)
    }
}

extension CodingUserInfoKey {
    fileprivate static let unreadablePartsKey = CodingUserInfoKey(rawValue: "unreadable-parts")

    /// The unwrapped key. The guard never fails: according to the documentation of
    /// `CodingUserInfoKey(rawValue:)`, the initializer never returns `nil`.
    static var unreadableParts: CodingUserInfoKey {
        guard let unreadablePartsKey else { preconditionFailure("a key of a decoder cannot be made") }
        return unreadablePartsKey
    }
}

extension Decoder {
    /// Records an error for a discarded part of the response.
    func recordUnreadablePart(error: any Error) {
        guard let parts = userInfo[.unreadableParts] as? UnreadableParts, let error = error as? DecodingError
        else { return }
        parts.add(UnreadableJSON(error))
    }
}
