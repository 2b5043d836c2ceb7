/// Cuts chunks into lines that end in CR, LF or CRLF, and drops a byte order mark at the start.
/// Whole lines are read where they lie; only what a chunk leaves unfinished is copied.
struct LineSplitter: Sendable {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let limit: Int
    /// The beginning of a line whose end has not come.
    private var unfinished: [UInt8] = []
    /// How much of the mark has come; nil when the start is over.
    private var markLength: Int? = 0
    /// The last chunk ended in CR: an LF that comes now belongs to it.
    private var endedInReturn = false
    private var failure: EventTooLarge?

    init(limit: Int) { self.limit = limit }

    mutating func split(
        _ chunk: UnsafeBufferPointer<UInt8>, into record: inout EventRecord,
        outputs: inout [EventRecord.Output]
    ) throws(EventTooLarge) {
        if let failure { throw failure }
        var scanner = LineScanner(chunk, from: skipMark(chunk))
        if endedInReturn, !scanner.isAtEnd {
            scanner.skipLineFeed()
            endedInReturn = false
        }
        while let line = scanner.next() {
            if unfinished.isEmpty {
                try check(line, kept: record.size)
                record.take(line, into: &outputs)
            } else {
                try append(line, kept: record.size)
                takeUnfinished(into: &record, outputs: &outputs)
            }
        }
        if scanner.endedInReturn { endedInReturn = true }
        if !scanner.isAtEnd { try append(scanner.rest, kept: record.size) }
    }

    /// Where the text begins in `chunk`. A beginning that looked like the mark and is none is put back.
    private mutating func skipMark(_ chunk: UnsafeBufferPointer<UInt8>) -> Int {
        guard var length = markLength else { return 0 }
        let mark = Self.byteOrderMark
        var position = 0
        while length < mark.count, position < chunk.count {
            guard chunk[position] == mark[length] else {
                unfinished.append(contentsOf: mark[..<(length - position)])
                markLength = nil
                return 0
            }
            length += 1
            position += 1
        }
        markLength = length == mark.count ? nil : length
        return position
    }

    private mutating func takeUnfinished(
        into record: inout EventRecord, outputs: inout [EventRecord.Output]
    ) {
        unfinished.withUnsafeBufferPointer { record.take($0, into: &outputs) }
        unfinished.reset()
    }

    private mutating func append(
        _ piece: UnsafeBufferPointer<UInt8>, kept: Int
    ) throws(EventTooLarge) {
        try check(piece, kept: kept)
        unfinished.append(contentsOf: piece)
    }

    /// `kept`: bytes of the event's earlier lines. A comment ends with its line and counts alone.
    private mutating func check(
        _ piece: UnsafeBufferPointer<UInt8>, kept: Int
    ) throws(EventTooLarge) {
        let first = unfinished.first ?? piece.first
        let event = first == UInt8(ascii: ":") ? 0 : kept
        guard event + unfinished.count + piece.count > limit else { return }
        let error = EventTooLarge(limit: limit)
        failure = error
        unfinished = []
        throw error
    }
}
