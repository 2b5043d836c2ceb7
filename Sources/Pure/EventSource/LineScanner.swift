/// Walks over the line ends of one chunk. Looks for CR and LF apart and remembers the next of each, so
/// that a chunk with only one of them is searched once and not once a line.
struct LineScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private var nextFeed: Int
    private var nextReturn: Int
    /// The last line ended in a CR that is the last byte of the chunk.
    private(set) var endedInReturn = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        self.bytes = bytes
        position = start
        nextFeed = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
        nextReturn = bytes.firstIndex(of: UInt8(ascii: "\r"), from: start) ?? bytes.count
    }

    var isAtEnd: Bool { position == bytes.count }
    var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[position...]) }

    /// Goes over an LF that stands here.
    mutating func skipLineFeed() {
        guard nextFeed == position, !isAtEnd else { return }
        position += 1
        nextFeed = bytes.firstIndex(of: UInt8(ascii: "\n"), from: position) ?? bytes.count
    }

    /// The next line that ends in this chunk, without its end.
    mutating func next() -> UnsafeBufferPointer<UInt8>? {
        let end = min(nextFeed, nextReturn)
        guard end < bytes.count else { return nil }
        let line = UnsafeBufferPointer(rebasing: bytes[position..<end])
        position = end
        if end == nextFeed {
            skipLineFeed()
        } else {
            position += 1
            nextReturn = bytes.firstIndex(of: UInt8(ascii: "\r"), from: position) ?? bytes.count
            endedInReturn = isAtEnd
            skipLineFeed()
        }
        return line
    }
}
