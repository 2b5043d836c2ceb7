/// A scanner for the start tags in a web page.
///
/// The scanner is not an HTML parser: it skips comments and the contents of `script` and `style`, and ignores
/// how elements are nested.
struct HTMLTags {
    struct Tag {
        /// The name of the tag in lower case.
        let name: String
        /// The attribute values by name in lower case. For a repeated attribute, the first value is used.
        var attributes: [String: String] = [:]

        subscript(name: String) -> String? { attributes[name] }

        /// Returns the words in the value of an attribute, in lower case.
        func words(ofAttribute name: String) -> [String] {
            (attributes[name] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        }
    }

    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// Returns the next start tag; `nil` at the end of the page.
    mutating func nextTag() -> Tag? {
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...].dropFirst()
            if starts(with: "!--") {
                skipPast("-->")
            } else if let first = rest.first, Self.isLetter(first) {
                let tag = readTag()
                if tag.name == "script" || tag.name == "style" { skipPast("</" + tag.name) }
                return tag
            }
        }
        return nil
    }

    private mutating func readTag() -> Tag {
        var tag = Tag(name: readPrefix { Self.isLetter($0) || Self.isDigit($0) }.lowercased())
        while true {
            _ = readPrefix { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
            guard let byte = rest.first, byte != UInt8(ascii: ">") else { break }
            let name = readPrefix { !Self.isSpace($0) && !#"=>/"#.utf8.contains($0) }.lowercased()
            let value = readAttributeValue()
            if tag.attributes[name] == nil { tag.attributes[name] = value }
            // Skip a stray character, such as a second `=`; otherwise, the scanner would not advance.
            if name.isEmpty, value.isEmpty { rest = rest.dropFirst() }
        }
        rest = rest.dropFirst()
        return tag
    }

    private mutating func readAttributeValue() -> String {
        _ = readPrefix(while: Self.isSpace)
        guard rest.first == UInt8(ascii: "=") else { return "" }
        rest = rest.dropFirst()
        _ = readPrefix(while: Self.isSpace)
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return readPrefix { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
        }
        rest = rest.dropFirst()
        let value = readPrefix { $0 != quote }
        rest = rest.dropFirst()
        return value
    }

    private mutating func readPrefix(while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        // Decode only `&amp;`, because URLs of documents contain no other character references.
        return String(decoding: part, as: UTF8.self).replacing("&amp;", with: "&")
    }

    private func starts(with text: String) -> Bool { rest.starts(with: text.utf8) }

    private mutating func skipPast(_ delimiter: String) {
        while !rest.isEmpty, !startsCaseInsensitively(with: delimiter) { rest = rest.dropFirst() }
        rest = rest.dropFirst(delimiter.utf8.count)
    }

    private func startsCaseInsensitively(with text: String) -> Bool {
        rest.prefix(text.utf8.count).lazy.map { Self.isUpper($0) ? $0 | 0x20 : $0 }.elementsEqual(text.utf8)
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    private static func isSpace(_ byte: UInt8) -> Bool { ServiceDocumentParser.isSpace(byte) }
}
