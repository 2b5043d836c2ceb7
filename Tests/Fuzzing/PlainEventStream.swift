import EventSource

/// A reference parser for a complete stream, which follows the WHATWG standard literally. Its outputs are
/// compared with the outputs of the parser under test.
struct PlainEventStream {
    private(set) var outputs: [EventStreamParser.Output] = []
    private(set) var lastEventID: String
    private var id: String
    private var data: [UInt8]?
    private var type = ""

    init(_ bytes: ArraySlice<UInt8>, lastEventID: String) {
        self.lastEventID = lastEventID
        id = lastEventID
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        for line in Self.lines(hasMark ? bytes.dropFirst(3) : bytes) { processLine(line) }
    }

    /// Returns all lines that have a line ending. Ignores the text after the last line ending.
    private static func lines(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var (lines, line): ([[UInt8]], [UInt8]) = ([], [])
        var previous: UInt8?
        for byte in bytes {
            switch byte {
            case 10 where previous == 13: break
            case 10, 13:
                lines.append(line)
                line = []
            default: line.append(byte)
            }
            previous = byte
        }
        return lines
    }

    private mutating func processLine(_ line: [UInt8]) {
        if line.isEmpty { return dispatch() }
        if line[0] == UInt8(ascii: ":") {
            outputs.append(.comment(text(line.dropFirst())))
            return
        }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch text(parts[0]) {
        case "data": data = data.map { $0 + [10] + value } ?? Array(value)
        case "event": type = text(value)
        case "id" where !value.contains(0): id = text(value)
        case "retry" where !value.isEmpty && value.allSatisfy({ 48...57 ~= $0 }):
            outputs.append(.retry(milliseconds: Int(Int32(text(value)) ?? .max)))
        default: break
        }
    }

    private mutating func dispatch() {
        lastEventID = id
        if let data {
            let event = StreamEvent(type: type.isEmpty ? "message" : type, data: text(data[...]), id: id)
            outputs.append(.event(event))
        }
        (data, type) = (nil, "")
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
