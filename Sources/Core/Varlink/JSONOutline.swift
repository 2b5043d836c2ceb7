/// The outline of a message: the position of each member's value. While creating the outline, this type
/// checks that the entire message is a JSON object (RFC 8259) within the nesting limit. Decoding alone would
/// not check this, because a decoder that reads only some members accepts invalid JSON in the others.
struct JSONOutline {
    /// The position of each member's value. If a key occurs twice, the first value is used, as in the
    /// decoder, so that a check of the outline applies to the value that is decoded.
    private(set) var members: [String: Range<Int>] = [:]
    /// The positions of the members' values in the inner object; `nil` if it is missing or not an object.
    private(set) var inner: [String: Range<Int>]?

    private var text: JSONText
    private let depthLimit: Int
    private let innerName: String?
    /// The open containers, innermost last: `true` for an object, `false` for an array.
    private var open: [Bool] = []
    /// The key and the start of the value that is being read, in the message and in the inner object; `nil`
    /// if the position of the value is not recorded.
    private var keys: [(name: String, valueStart: Int)?] = [nil, nil]

    /// - Parameter inner: the key of the inner object, whose members are also recorded.
    init(
        of bytes: [UInt8], inner: String? = nil, depthLimit: Int = MessageLimits().depth
    ) throws(MessageError) {
        text = JSONText(bytes)
        (self.depthLimit, innerName) = (depthLimit, inner)
        text.skipSpaces()
        guard text.next == UInt8(ascii: "{") else { throw .notJSON }
        try readValue()
        while let isObject = open.last {
            if open.count <= 2 { endMember() }
            text.skipSpaces()
            if text.skipIfNext(UInt8(ascii: ",")) {
                if isObject { try readKey() }
                try readValue()
            } else {
                try closeBracket()
            }
        }
        text.skipSpaces()
        guard text.isAtEnd else { throw .notJSON }
    }

    /// Reads a value. If the value is an object or an array that is not empty, reads only up to its first
    /// element.
    private mutating func readValue() throws(MessageError) {
        while true {
            text.skipSpaces()
            switch text.next {
            case UInt8(ascii: "{"):
                try openBracket(isObject: true)
                if text.next == UInt8(ascii: "}") { return try closeBracket() }
                try readKey()
            case UInt8(ascii: "["):
                try openBracket(isObject: false)
                if text.next == UInt8(ascii: "]") { return try closeBracket() }
            case UInt8(ascii: "\""): return try text.skipString()
            default: return try text.skipWord()
            }
        }
    }

    private mutating func openBracket(isObject: Bool) throws(MessageError) {
        guard open.count < depthLimit else { throw .tooDeep(limit: depthLimit) }
        if open.count == 1, isObject, isInnerNext { inner = [:] }
        open.append(isObject)
        _ = text.skipIfNext(text.next)
        text.skipSpaces()
    }

    private mutating func closeBracket() throws(MessageError) {
        guard let isObject = open.popLast(), text.skipIfNext(UInt8(ascii: isObject ? "}" : "]")) else {
            throw .notJSON
        }
    }

    private mutating func readKey() throws(MessageError) {
        text.skipSpaces()
        let start = text.index
        try text.skipString()
        let end = text.index
        text.skipSpaces()
        guard text.skipIfNext(UInt8(ascii: ":")) else { throw .notJSON }
        guard open.count == 1 || (open.count == 2 && isInnerNext) else { return }
        text.skipSpaces()
        keys[open.count - 1] = parseString(in: start..<end).map { ($0, text.index) }
    }

    /// Whether the next value is the inner object. False for a duplicate of its key.
    private var isInnerNext: Bool {
        guard let name = keys[0]?.name, name == innerName else { return false }
        return members[name] == nil
    }

    private mutating func endMember() {
        guard let (name, start) = keys[open.count - 1] else { return }
        keys[open.count - 1] = nil
        if open.count == 1 {
            if members[name] == nil { members[name] = start..<text.index }
        } else if inner?[name] == nil {
            inner?[name] = start..<text.index
        }
    }

    /// Returns the string in `range`, with escape sequences resolved, because `"\u0061"` and `"a"` are the
    /// same key.
    private func parseString(in range: Range<Int>) -> String? {
        let inside = text.bytes[range].dropFirst().dropLast()
        guard inside.contains(UInt8(ascii: "\\")) else { return String(decoding: inside, as: UTF8.self) }
        return try? JSON.decode(String.self, from: text.bytes[range])
    }

    /// The error for a member whose value has the wrong type.
    struct WrongType: Error {
        let name: String
    }

    /// Returns the JSON of a member's value; `nil` if it is missing or null.
    func valueText(of name: String) -> ArraySlice<UInt8>? {
        guard let range = members[name] else { return nil }
        let value = text.bytes[range]
        return value.elementsEqual("null".utf8) ? nil : value
    }

    func parseString(of name: String) throws(WrongType) -> String? {
        guard let value = valueText(of: name) else { return nil }
        guard value.first == UInt8(ascii: "\""), let string = parseString(in: value.indices) else {
            throw WrongType(name: name)
        }
        return string
    }

    func parseBool(of name: String) throws(WrongType) -> Bool? {
        guard let value = valueText(of: name) else { return nil }
        if value.elementsEqual("true".utf8) { return true }
        guard value.elementsEqual("false".utf8) else { throw WrongType(name: name) }
        return false
    }

    /// Replaces each number in `range` with zeros of the same length.
    static func zeroNumbers(in bytes: inout [UInt8], range: Range<Int>) {
        var (isInString, isInNumber, index) = (false, false, range.lowerBound)
        while index < range.upperBound {
            let byte = bytes[index]
            if isInString, byte == UInt8(ascii: "\\") { index += 1 }
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            let begins = byte == UInt8(ascii: "-") || byte.isDigit
            let goesOn = begins || [UInt8](".eE+".utf8).contains(byte)
            if isInString || !(isInNumber ? goesOn : begins) {
                isInNumber = false
            } else {
                bytes[index] = isInNumber ? UInt8(ascii: " ") : UInt8(ascii: "0")
                isInNumber = true
            }
            index += 1
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
