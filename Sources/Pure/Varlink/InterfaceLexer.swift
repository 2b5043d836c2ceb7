/// Cuts an interface definition into words and signs, and keeps the comments that stand before a word.
struct InterfaceLexer {
    struct Token {
        var text: Substring
        var line: Int
        /// The comment lines right before it, without their marks.
        var documentation: String
    }

    private var rest: Substring
    private var line = 1
    private var lineOfLastToken = 0
    private var comments: [Substring] = []

    init(_ text: String) {
        rest = text[...]
    }

    /// The next word or sign; an empty text at the end.
    mutating func next() throws(InterfaceSyntaxError) -> Token {
        skipSpacesAndComments()
        defer { (comments, lineOfLastToken) = ([], line) }
        let documentation = comments.joined(separator: "\n")
        if let sign = takeSign() { return Token(text: sign, line: line, documentation: documentation) }
        return Token(text: try takeWord(), line: line, documentation: documentation)
    }

    private mutating func skipSpacesAndComments() {
        var lineIsBlank = false
        while let character = rest.first {
            if character == "#" {
                let text = rest.prefix { !$0.isNewline }
                let body = text.dropFirst()
                // A comment that ends a line belongs to that line, not to what follows.
                if line != lineOfLastToken { comments.append(body.first == " " ? body.dropFirst() : body) }
                rest = rest[text.endIndex...]
                lineIsBlank = false
            } else if character.isNewline {
                // A blank line ends a comment: what stands above it documents nothing below.
                if lineIsBlank { comments = [] }
                lineIsBlank = true
                line += 1
            } else if !character.isWhitespace {
                return
            }
            if character != "#" { rest.removeFirst() }
        }
    }

    private mutating func takeSign() -> Substring? {
        for sign in ["->", "[string]", "[]", "(", ")", ",", ":", "?"] where rest.hasPrefix(sign) {
            defer { rest.removeFirst(sign.count) }
            return rest.prefix(sign.count)
        }
        return nil
    }

    private mutating func takeWord() throws(InterfaceSyntaxError) -> Substring {
        let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        if word.isEmpty, let stranger = rest.first {
            throw InterfaceSyntaxError(line: line, reason: "\(stranger) has no meaning here")
        }
        rest = rest[word.endIndex...]
        return word
    }
}
