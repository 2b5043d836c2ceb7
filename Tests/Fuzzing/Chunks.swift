/// A division of bytes into chunks, as a network might deliver them. A seed determines the sizes of the
/// chunks.
struct Chunks: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private var state: UInt8

    init(_ bytes: ArraySlice<UInt8>, by seed: UInt8) {
        rest = bytes
        state = seed | 1
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        state = state &* 37 &+ 11
        let size = state < 128 ? 1 : Int(state % 23)
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size)
    }
}
