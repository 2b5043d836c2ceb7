/// One cheap pass over a JSON object, before anything parses it: how deep it nests and where the values
/// of its own members lie. It does not validate; that is the parser's part.
struct JSONOutline {
    /// Where each member's value lies, spaces included; of a repeated key the first one,
    /// as the parser takes it: or it would read one value and another one would be handed on.
    private(set) var members: [String: Range<Int>] = [:]

    private let bytes: [UInt8]
    private var depth = 0
    private var string: Range<Int>?
    private var key: String?
    private var valueStart = 0

    init(of bytes: [UInt8], depthLimit: Int = MessageLimits().depth) throws(MessageError) {
        self.bytes = bytes
        guard let first = bytes.first(where: { !$0.isJSONSpace }), first == UInt8(ascii: "{") else {
            throw .notJSON
        }
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = try skipString(from: index)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 1 { endMember(at: index) }
                depth -= 1
            case UInt8(ascii: ":") where depth == 1: beginValue(after: index)
            case UInt8(ascii: ",") where depth == 1: endMember(at: index)
            default: break
            }
            index += 1
        }
        guard depth == 0 else { throw .notJSON }
    }

    /// Returns the index of the closing quote.
    private mutating func skipString(from opening: Int) throws(MessageError) -> Int {
        var index = opening + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""):
                if depth == 1, key == nil { string = opening..<index + 1 }
                return index
            default: index += 1
            }
        }
        throw .notJSON
    }

    private mutating func beginValue(after colon: Int) {
        guard key == nil, let string else { return }
        key = keyText(string)
        valueStart = colon + 1
    }

    private mutating func endMember(at end: Int) {
        if let key, members[key] == nil { members[key] = valueStart..<end }
        (key, string) = (nil, nil)
    }

    /// An escaped key is left to the JSON parser: "\u0061" and "a" are the same key.
    private func keyText(_ range: Range<Int>) -> String? {
        let inside = bytes[range].dropFirst().dropLast()
        guard inside.contains(UInt8(ascii: "\\")) else { return String(decoding: inside, as: UTF8.self) }
        return try? JSON.decode(String.self, from: bytes[range])
    }

    /// The member's value without the spaces around it, or nil where it is missing or null.
    func value(of name: String) -> ArraySlice<UInt8>? {
        guard let range = members[name] else { return nil }
        let value = bytes[range].trimmingJSONSpaces
        return value.elementsEqual("null".utf8) ? nil : value
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingJSONSpaces: ArraySlice<UInt8> {
        var rest = drop(while: \.isJSONSpace)
        while let last = rest.last, last.isJSONSpace { rest.removeLast() }
        return rest
    }
}
