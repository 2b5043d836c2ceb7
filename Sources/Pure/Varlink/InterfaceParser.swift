/// Reads the grammar of varlink.org, Interface Definition.
struct InterfaceParser {
    struct Members {
        var types: [Interface.TypeDeclaration] = []
        var methods: [Interface.MethodDeclaration] = []
        var errors: [Interface.ErrorDeclaration] = []
    }

    private(set) var name = ""
    private(set) var documentation = ""
    private var lexer: InterfaceLexer
    private var token: InterfaceLexer.Token
    private var depth = 0

    init(_ text: String) throws(InterfaceSyntaxError) {
        lexer = InterfaceLexer(text)
        token = try lexer.next()
    }

    mutating func parse() throws(InterfaceSyntaxError) -> Members {
        documentation = token.documentation
        try expect("interface")
        name = try parseName("an interface name such as org.example.name", Self.isInterfaceName)
        var members = Members()
        while !token.text.isEmpty { try parseMember(into: &members) }
        return members
    }

    private mutating func parseMember(into members: inout Members) throws(InterfaceSyntaxError) {
        let (keyword, documentation) = (token.text, token.documentation)
        guard ["type", "method", "error"].contains(keyword) else { throw wanted("type, method or error") }
        try advance()
        let name = try parseName("a name that begins with a capital", Self.isMemberName)
        switch keyword {
        case "type":
            members.types.append(.init(name: name, documentation: documentation, type: try parseBrackets()))
        case "method":
            let input = try parseParameters()
            try expect("->")
            members.methods.append(
                .init(name: name, documentation: documentation, input: input, output: try parseParameters()))
        default:
            let parameters = try parseParameters()
            members.errors.append(.init(name: name, documentation: documentation, parameters: parameters))
        }
    }

    private mutating func parseParameters() throws(InterfaceSyntaxError) -> [TypeExpression.Field] {
        guard case .structure(let fields) = try parseBrackets() else { throw wanted("name: type") }
        return fields
    }

    /// `(a: int, b: string)` or `(one, two)`; `()` is a structure without fields.
    private mutating func parseBrackets() throws(InterfaceSyntaxError) -> TypeExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 64 else { throw InterfaceSyntaxError(line: token.line, reason: "nested too deep") }
        try expect("(")
        var fields: [TypeExpression.Field] = []
        var words: [String] = []
        while token.text != ")" {
            if !(fields.isEmpty && words.isEmpty) { try expect(",") }
            let name = try parseName("a field name", Self.isFieldName)
            if token.text == ":", words.isEmpty {
                try advance()
                fields.append(.init(name: name, type: try parseType()))
            } else if fields.isEmpty {
                words.append(name)
            } else {
                throw wanted("a colon")
            }
        }
        try advance()
        guard Set(fields.map(\.name) + words).count == fields.count + words.count else {
            throw InterfaceSyntaxError(line: token.line, reason: "a field is declared twice")
        }
        return words.isEmpty ? .structure(fields) : .enumeration(words)
    }

    private mutating func parseType() throws(InterfaceSyntaxError) -> TypeExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 64 else { throw InterfaceSyntaxError(line: token.line, reason: "nested too deep") }
        let word = token.text
        if word == "(" { return try parseBrackets() }
        try advance()
        switch word {
        case "[]": return .array(try parseType())
        case "[string]": return .map(try parseType())
        case "?" where token.text != "?": return .optional(try parseType())
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case "any": return .any
        default:
            guard Self.isMemberName(word) else { throw wanted("a type", instead: word) }
            return .named(String(word))
        }
    }

    private mutating func advance() throws(InterfaceSyntaxError) {
        token = try lexer.next()
    }

    private mutating func expect(_ text: String) throws(InterfaceSyntaxError) {
        guard token.text == text else { throw wanted(text) }
        try advance()
    }

    private mutating func parseName(
        _ what: String, _ fits: (Substring) -> Bool
    ) throws(InterfaceSyntaxError) -> String {
        guard fits(token.text) else { throw wanted(what) }
        let name = String(token.text)
        try advance()
        return name
    }

    private func wanted(_ what: String, instead found: Substring? = nil) -> InterfaceSyntaxError {
        let found = found ?? token.text
        let seen = found.isEmpty ? "the end of the text" : "\"\(found)\""
        return InterfaceSyntaxError(line: token.line, reason: "\(what) is expected, not \(seen)")
    }

    private static func isInterfaceName(_ word: Substring) -> Bool {
        let labels = word.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && word.first?.isLetter == true && !word.contains("_")
            && labels.allSatisfy { !$0.isEmpty && $0.first != "-" && $0.last != "-" }
    }

    private static func isMemberName(_ word: Substring) -> Bool {
        word.first?.isUppercase == true && word.allSatisfy { $0.isLetter || $0.isNumber }
    }

    private static func isFieldName(_ word: Substring) -> Bool {
        word.first?.isLetter == true && word.last != "_" && !word.contains("__")
            && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

/// Cuts an interface definition into words and signs, and keeps the comments that stand before a word.
private struct InterfaceLexer {
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
        if let sign = nextSign() { return Token(text: sign, line: line, documentation: documentation) }
        return Token(text: try nextWord(), line: line, documentation: documentation)
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

    private mutating func nextSign() -> Substring? {
        for sign in ["->", "[string]", "[]", "(", ")", ",", ":", "?"] where rest.hasPrefix(sign) {
            defer { rest.removeFirst(sign.count) }
            return rest.prefix(sign.count)
        }
        return nil
    }

    private mutating func nextWord() throws(InterfaceSyntaxError) -> Substring {
        let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        if word.isEmpty, let stranger = rest.first {
            throw InterfaceSyntaxError(line: line, reason: "\(stranger) has no meaning here")
        }
        rest = rest[word.endIndex...]
        return word
    }
}
