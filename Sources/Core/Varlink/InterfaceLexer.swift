/// A lexer that splits an interface definition into tokens, and collects the comments before each token. The
/// lexer reads bytes, because `Character` is ten times slower and would delay the start of the daemon.
struct InterfaceLexer {
    struct Token {
        /// The text of the token; empty at the end of the definition.
        var text: String
        var line: Int
        /// The comment directly before the token, without `#`; may have several lines.
        var documentation: String
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineOfLastToken = 0
    private var comments: [String] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the next token. At the end of the definition, the text of the token is empty.
    mutating func nextToken() throws(InterfaceSyntaxError) -> Token {
        skipSpacesAndComments()
        defer { (comments, lineOfLastToken) = ([], line) }
        let documentation = comments.isEmpty ? "" : comments.joined(separator: "\n")
        if let sign = readPunctuation() { return Token(text: sign, line: line, documentation: documentation) }
        return Token(text: try readWord(), line: line, documentation: documentation)
    }

    private mutating func skipSpacesAndComments() {
        var lineIsBlank = false
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "#") {
                skipComment()
                lineIsBlank = false
            } else if let length = lengthOfLineEnd {
                // Discard comments before a blank line, because they do not belong to the next declaration.
                if lineIsBlank { comments = [] }
                lineIsBlank = true
                line += 1
                position += length
            } else if let length = lengthOfSpace {
                position += length
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        var start = position + 1
        while position < bytes.count, lengthOfLineEnd == nil { position += 1 }
        // Ignore a comment at the end of a line with other text, because it does not belong to the next
        // declaration.
        guard line != lineOfLastToken else { return }
        if start < position, bytes[start] == UInt8(ascii: " ") { start += 1 }
        comments.append(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func readPunctuation() -> String? {
        guard position < bytes.count, !bytes[position].isASCIILetter else { return nil }
        for sign in Self.signs where isNext(sign.utf8) {
            position += sign.utf8.count
            return sign
        }
        return nil
    }

    private static let signs = ["->", "[string]", "[]", "(", ")", ",", ":", "?"]

    private mutating func readWord() throws(InterfaceSyntaxError) -> String {
        let start = position
        while position < bytes.count, bytes[position].isWordByte { position += 1 }
        if start == position, position < bytes.count {
            let stranger = String(decoding: bytes[position...].prefix(4), as: UTF8.self).prefix(1)
            throw InterfaceSyntaxError(line: line, reason: "\(stranger) has no meaning here")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }
}

// MARK: - Whitespace and line ends (varlink.org, Interface Definition)

extension InterfaceLexer {
    private func isNext(_ sequence: some Sequence<UInt8>) -> Bool {
        bytes[position...].starts(with: sequence)
    }

    private var lengthOfLineEnd: Int? {
        switch bytes[position] {
        case UInt8(ascii: "\n"): 1
        case UInt8(ascii: "\r"):
            position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n") ? 2 : 1
        case 0x80...: lengthOfMatch(among: ["\u{2028}", "\u{2029}"])
        default: nil
        }
    }

    private var lengthOfSpace: Int? {
        switch bytes[position] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"): 1
        case 0x80...:
            lengthOfMatch(among: [
                "\u{a0}", "\u{feff}", "\u{1680}", "\u{180e}", "\u{2000}", "\u{2001}", "\u{2002}", "\u{2003}",
                "\u{2004}", "\u{2005}", "\u{2006}", "\u{2007}", "\u{2008}", "\u{2009}", "\u{200a}",
                "\u{202f}",
                "\u{205f}", "\u{3000}",
            ])
        default: nil
        }
    }

    private func lengthOfMatch(among candidates: [String]) -> Int? {
        candidates.first { isNext($0.utf8) }?.utf8.count
    }
}

extension UInt8 {
    var isASCIIUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isASCIILetter: Bool { isASCIIUppercase || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

    fileprivate var isWordByte: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "-")
    }
}
