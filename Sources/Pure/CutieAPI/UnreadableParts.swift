import Synchronization

/// Collects the parts of answers that were discarded because they cannot be read, while the rest was used.
public final class UnreadableParts: Sendable {
    private let parts = Mutex<[UnreadableJSON]>([])

    public init() {}

    /// Returns the collected parts and forgets them.
    public func takeAll() -> [UnreadableJSON] {
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
    /// A path without positions is equal for every element of a list: `events[].id`.
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

    /// The initializer never fails, as the documentation says.
    static var unreadableParts: CodingUserInfoKey {
        guard let unreadablePartsKey else { preconditionFailure("a key of a decoder cannot be made") }
        return unreadablePartsKey
    }
}

extension Decoder {
    /// Notes a part of the answer that is discarded.
    func note(_ error: any Error) {
        guard let parts = userInfo[.unreadableParts] as? UnreadableParts, let error = error as? DecodingError
        else { return }
        parts.add(UnreadableJSON(error))
    }
}
