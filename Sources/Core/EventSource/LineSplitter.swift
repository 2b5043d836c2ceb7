import Glibc

/// A parser that splits chunks into lines ending with CR, LF or CRLF, and removes a byte order mark at
/// the start of the stream. A line that is complete in a chunk is parsed in place; only an incomplete
/// line is copied.
struct LineSplitter: Sendable {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let limit: Int
    /// The start of an incomplete line.
    private var unfinished: [UInt8] = []
    /// The number of bytes of a byte order mark received so far; `nil` after the start of the stream.
    private var markLength: Int? = 0
    /// Whether the last chunk ended with CR. If the next chunk begins with LF, both bytes are one line
    /// ending.
    private var endsInCarriageReturn = false
    private var failure: EventTooLarge?

    init(limit: Int) { self.limit = limit }

    mutating func split(
        _ chunk: UnsafeBufferPointer<UInt8>, updating record: inout EventRecord,
        outputs: inout [EventRecord.Output]
    ) throws(EventTooLarge) {
        if let failure { throw failure }
        var scanner = LineScanner(chunk, from: skipByteOrderMark(in: chunk))
        if endsInCarriageReturn, !scanner.isAtEnd {
            scanner.skipLineFeedIfPresent()
            endsInCarriageReturn = false
        }
        while let line = scanner.nextLine() {
            if unfinished.isEmpty {
                try checkSize(adding: line, previousLinesSize: record.size)
                record.processLine(line, into: &outputs)
            } else {
                try appendToUnfinishedLine(line, previousLinesSize: record.size)
                flushUnfinishedLine(updating: &record, outputs: &outputs)
            }
        }
        if scanner.endsInCarriageReturn { endsInCarriageReturn = true }
        if !scanner.isAtEnd { try appendToUnfinishedLine(scanner.rest, previousLinesSize: record.size) }
    }

    /// Skips the byte order mark at the start of the stream, and returns the index of the first byte of
    /// `chunk` after the mark. If bytes from earlier chunks turn out not to be part of a byte order mark,
    /// these bytes become the start of the first line.
    private mutating func skipByteOrderMark(in chunk: UnsafeBufferPointer<UInt8>) -> Int {
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

    private mutating func flushUnfinishedLine(
        updating record: inout EventRecord, outputs: inout [EventRecord.Output]
    ) {
        unfinished.withUnsafeBufferPointer { record.processLine($0, into: &outputs) }
        unfinished.reset()
    }

    private mutating func appendToUnfinishedLine(
        _ piece: UnsafeBufferPointer<UInt8>, previousLinesSize: Int
    ) throws(EventTooLarge) {
        try checkSize(adding: piece, previousLinesSize: previousLinesSize)
        unfinished.append(contentsOf: piece)
    }

    /// Throws if the incomplete event exceeds `limit`. A comment is not part of the event, so for a comment,
    /// only the size of the comment is checked.
    ///
    /// - Parameter previousLinesSize: the size in bytes of the event's previous lines.
    private mutating func checkSize(
        adding piece: UnsafeBufferPointer<UInt8>, previousLinesSize: Int
    ) throws(EventTooLarge) {
        let first = unfinished.first ?? piece.first
        let event = first == UInt8(ascii: ":") ? 0 : previousLinesSize
        guard event + unfinished.count + piece.count > limit else { return }
        let error = EventTooLarge(limit: limit)
        failure = error
        unfinished = []
        throw error
    }
}

/// An iterator over the lines of one chunk. The positions of the next CR and the next LF are cached
/// separately. For example, a chunk without CR is searched for CR only once, and not once per line.
private struct LineScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private var nextFeed: Int
    private var nextReturn: Int
    /// Whether the chunk ended with the CR of the last line.
    private(set) var endsInCarriageReturn = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        self.bytes = bytes
        position = start
        nextFeed = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
        nextReturn = bytes.firstIndex(of: UInt8(ascii: "\r"), from: start) ?? bytes.count
    }

    var isAtEnd: Bool { position == bytes.count }
    var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[position...]) }

    /// Skips an LF at the current position, if there is one.
    mutating func skipLineFeedIfPresent() {
        guard nextFeed == position, !isAtEnd else { return }
        position += 1
        nextFeed = bytes.firstIndex(of: UInt8(ascii: "\n"), from: position) ?? bytes.count
    }

    /// Returns the next complete line of this chunk, without its line ending; `nil` if there is none.
    mutating func nextLine() -> UnsafeBufferPointer<UInt8>? {
        let end = min(nextFeed, nextReturn)
        guard end < bytes.count else { return nil }
        let line = UnsafeBufferPointer(rebasing: bytes[position..<end])
        position = end
        if end == nextFeed {
            skipLineFeedIfPresent()
        } else {
            position += 1
            nextReturn = bytes.firstIndex(of: UInt8(ascii: "\r"), from: position) ?? bytes.count
            endsInCarriageReturn = isAtEnd
            skipLineFeedIfPresent()
        }
        return line
    }
}

/// The fields of one event, collected line by line until a blank line.
struct EventRecord: Sendable {
    typealias Output = EventStreamParser.Output

    private(set) var lastEventID: String
    private(set) var retry: Int?
    /// The size in bytes of all lines since the last blank line.
    private(set) var size = 0
    private var data: [UInt8] = []
    private var type = ""
    private var id: String

    init(lastEventID: String) {
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Processes a line, without its line ending. A blank line completes the event and appends it to
    /// `outputs`.
    mutating func processLine(_ line: UnsafeBufferPointer<UInt8>, into outputs: inout [Output]) {
        guard let first = line.first else { return dispatchEvent(into: &outputs) }
        guard first != UInt8(ascii: ":") else {
            outputs.append(.comment(String(decoding: line.dropFirst(), as: UTF8.self)))
            return
        }
        size += line.count
        let (field, value) = Self.splitField(of: line)
        switch field {
        case .data:
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        case .event: type = String(decoding: value, as: UTF8.self)
        case .id:
            if value.firstIndex(of: 0, from: 0) == nil { id = String(decoding: value, as: UTF8.self) }
        case .retry:
            guard let milliseconds = Self.parseMilliseconds(value) else { return }
            retry = milliseconds
            outputs.append(.retry(milliseconds: milliseconds))
        case nil: break
        }
    }

    private mutating func dispatchEvent(into outputs: inout [Output]) {
        lastEventID = id
        if !data.isEmpty {
            let text = String(decoding: data.dropLast(), as: UTF8.self)
            outputs.append(.event(StreamEvent(type: type.isEmpty ? "message" : type, data: text, id: id)))
        }
        data.reset()
        type = ""
        size = 0
    }

    private enum Field {
        case data, event, id, retry
    }

    /// Splits a line into field and value, and removes the space after the colon. The field is `nil` if its
    /// name is unknown.
    private static func splitField(
        of line: UnsafeBufferPointer<UInt8>
    ) -> (Field?, UnsafeBufferPointer<UInt8>) {
        let end = line.firstIndex(of: UInt8(ascii: ":"), from: 0) ?? line.count
        var start = min(end + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        let name = UnsafeBufferPointer(rebasing: line[..<end])
        return (field(named: name), UnsafeBufferPointer(rebasing: line[start...]))
    }

    private static func field(named name: UnsafeBufferPointer<UInt8>) -> Field? {
        if name.equals("data") { return .data }
        if name.equals("id") { return .id }
        if name.equals("event") { return .event }
        return name.equals("retry") ? .retry : nil
    }

    /// Parses ASCII digits; returns `nil` if `value` is not a number. A value above Int32.max (24 days) is
    /// replaced by Int32.max, so that later
    /// arithmetic cannot overflow.
    private static func parseMilliseconds(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !value.isEmpty, value.allSatisfy(digits.contains) else { return nil }
        return value.reduce(0) { total, digit in
            min(total * 10 + Int(digit - digits.lowerBound), Int(Int32.max))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first index of `byte` from `start`; `nil` if there is none. Uses `memchr`, which is
    /// vectorized.
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    fileprivate func equals(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount, let base = baseAddress else { return false }
        return memcmp(base, word.utf8Start, count) == 0
    }
}

extension [UInt8] {
    /// Empties the buffer. Deallocates a large buffer, because one large event would otherwise occupy memory
    /// until the connection ends.
    fileprivate mutating func reset() {
        removeAll(keepingCapacity: capacity <= 64 << 10)
    }
}
