/// The validated outline of a message. The initializer checks in one pass, before a method is called, that
/// the entire message is a JSON object (RFC 8259) within the nesting limit, and records the position of each
/// member's value. A decoder that reads only the members that it needs would accept invalid JSON in other
/// members.
package struct JSONOutline {
    /// The position of each member's value. For a duplicate key, the first value is used, as in the decoder;
    /// otherwise, the outline and the decoder could use different values.
    package private(set) var members: [String: Range<Int>] = [:]
    /// The positions of the members of the inner object; `nil` if it is missing or not an object.
    package private(set) var inner: [String: Range<Int>]?

    private let bytes: [UInt8]

    /// Validates a message and records the positions of the values of its members.
    ///
    /// - Parameters:
    ///   - inner: the name of the member whose own members are also recorded.
    ///   - depthLimit: the maximum number of nested objects and lists, including the message itself.
    package init(of bytes: [UInt8], inner innerName: String? = nil, depthLimit: Int) throws(JSONError) {
        self.bytes = bytes
        (members, inner) = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            var cursor = JSONCursor(bytes)
            var inner: [String: Range<Int>]?
            let members = try Self.readMembers(from: &cursor, maxDepth: depthLimit) {
                (cursor, name, isFirst) throws(JSONError) in
                if isFirst, name == innerName, cursor.next == UInt8(ascii: "{") {
                    inner = try Self.readMembers(from: &cursor, maxDepth: depthLimit - 1) {
                        (cursor, _, _) throws(JSONError) in
                        try cursor.skipValue(maxDepth: depthLimit - 2)
                    }
                } else {
                    try cursor.skipValue(maxDepth: depthLimit - 1)
                }
            }
            try cursor.expectEnd()
            return (members, inner)
        }
    }

    /// Reads an object. Returns the position of the first value of each key. `skip` must skip a value;
    /// `isFirst` is whether the key is new.
    private static func readMembers(
        from cursor: inout JSONCursor, maxDepth: Int,
        _ skip: (inout JSONCursor, _ name: String, _ isFirst: Bool) throws(JSONError) -> Void
    ) throws(JSONError) -> [String: Range<Int>] {
        guard maxDepth > 0 else { throw .tooDeep }
        var members: [String: Range<Int>] = [:]
        try cursor.readObject { (cursor, key) throws(JSONError) in
            cursor.skipSpaces()
            let (name, start) = (key.text, cursor.index)
            let isFirst = members[name] == nil
            try skip(&cursor, name, isFirst)
            if isFirst { members[name] = start..<cursor.index }
        }
        return members
    }

    /// The error for a member whose value has the wrong type.
    package struct WrongType: Error {
        package let name: String

        package init(name: String) { self.name = name }
    }

    /// Returns the JSON of a member's value; `nil` if the member is missing or its value is null.
    package func valueJSON(forKey name: String) -> ArraySlice<UInt8>? {
        guard let range = members[name] else { return nil }
        let value = bytes[range]
        return value.elementsEqual("null".utf8) ? nil : value
    }

    package func parseString(forKey name: String) throws(WrongType) -> String? {
        guard let value = valueJSON(forKey: name) else { return nil }
        let text = value.withUnsafeBufferPointer { bytes in
            var cursor = JSONCursor(bytes)
            return try? cursor.readString()
        }
        guard let text else { throw WrongType(name: name) }
        return text
    }

    package func parseBool(forKey name: String) throws(WrongType) -> Bool? {
        guard let value = valueJSON(forKey: name) else { return nil }
        if value.elementsEqual("true".utf8) { return true }
        guard value.elementsEqual("false".utf8) else { throw WrongType(name: name) }
        return false
    }

    /// Replaces each number in `range` with `0` and spaces, so that the length is unchanged.
    package static func replaceNumbersWithZero(in bytes: inout [UInt8], range: Range<Int>) {
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
