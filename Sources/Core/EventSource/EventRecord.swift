import Glibc

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
    mutating func readLine(_ line: UnsafeBufferPointer<UInt8>, into outputs: inout [Output]) {
        guard let first = line.first else { return dispatch(into: &outputs) }
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

    private mutating func dispatch(into outputs: inout [Output]) {
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

    /// Parses ASCII digits. A value above Int32.max (24 days) is replaced by Int32.max, so that later
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
    fileprivate func equals(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount, let base = baseAddress else { return false }
        return memcmp(base, word.utf8Start, count) == 0
    }
}
