/// A recursive descent parser for the grammar of varlink.org, Interface Definition.
struct InterfaceParser {
    struct Members {
        var types: [VarlinkInterface.TypeDeclaration] = []
        var methods: [VarlinkInterface.MethodDeclaration] = []
        var errors: [VarlinkInterface.ErrorDeclaration] = []
    }

    private(set) var name = ""
    private(set) var documentation = ""
    private var lexer: InterfaceLexer
    private var token: InterfaceLexer.Token
    private var depth = 0

    init(_ text: String) throws(InterfaceSyntaxError) {
        lexer = InterfaceLexer(text)
        token = try lexer.nextToken()
    }

    mutating func parse() throws(InterfaceSyntaxError) -> Members {
        documentation = token.documentation
        try expect("interface")
        name = try parseName(
            describedAs: "an interface name such as org.example.name", isValid: Self.isInterfaceName)
        var members = Members()
        while !token.text.isEmpty { try parseMember(into: &members) }
        return members
    }

    private mutating func parseMember(into members: inout Members) throws(InterfaceSyntaxError) {
        let (keyword, documentation) = (token.text, token.documentation)
        guard ["type", "method", "error"].contains(keyword) else {
            throw syntaxError(expected: "type, method or error")
        }
        try advance()
        let name = try parseName(describedAs: "a name that begins with a capital", isValid: Self.isMemberName)
        switch keyword {
        case "type":
            members.types.append(
                .init(name: name, documentation: documentation, type: try parseStructureOrEnum()))
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
        guard case .structure(let fields) = try parseStructureOrEnum() else {
            throw syntaxError(expected: "name: type")
        }
        return fields
    }

    /// Parses a structure, such as `(a: int, b: string)`, or an enum, such as `(one, two)`. `()` is an empty
    /// structure.
    private mutating func parseStructureOrEnum() throws(InterfaceSyntaxError) -> TypeExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 64 else { throw InterfaceSyntaxError(line: token.line, reason: "nested too deep") }
        try expect("(")
        var fields: [TypeExpression.Field] = []
        var words: [String] = []
        while token.text != ")" {
            if !(fields.isEmpty && words.isEmpty) { try expect(",") }
            let name = try parseName(describedAs: "a field name", isValid: Self.isFieldName)
            if token.text == ":", words.isEmpty {
                try advance()
                fields.append(.init(name: name, type: try parseType()))
            } else if fields.isEmpty {
                words.append(name)
            } else {
                throw syntaxError(expected: "a colon")
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
        if word == "(" { return try parseStructureOrEnum() }
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
            guard Self.isMemberName(word) else { throw syntaxError(expected: "a type", insteadOf: word) }
            return .named(word)
        }
    }

    private mutating func advance() throws(InterfaceSyntaxError) {
        token = try lexer.nextToken()
    }

    private mutating func expect(_ text: String) throws(InterfaceSyntaxError) {
        guard token.text == text else { throw syntaxError(expected: text) }
        try advance()
    }

    private mutating func parseName(
        describedAs description: String, isValid: (String) -> Bool
    ) throws(InterfaceSyntaxError) -> String {
        let name = token.text
        guard isValid(name) else { throw syntaxError(expected: description) }
        try advance()
        return name
    }

    private func syntaxError(expected description: String, insteadOf found: String? = nil)
        -> InterfaceSyntaxError
    {
        let found = found ?? token.text
        let seen = found.isEmpty ? "the end of the text" : "\"\(found)\""
        return InterfaceSyntaxError(line: token.line, reason: "\(description) is expected, not \(seen)")
    }

    private static func isInterfaceName(_ word: String) -> Bool {
        let labels = word.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        return labels.count > 1 && isLetter(word.utf8.first) && !word.utf8.contains(UInt8(ascii: "_"))
            && labels.allSatisfy { !$0.isEmpty && $0.first != hyphen && $0.last != hyphen }
    }

    private static func isMemberName(_ word: String) -> Bool {
        word.utf8.first.map { $0.isASCIIUppercase } == true
            && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }

    private static func isFieldName(_ word: String) -> Bool {
        isLetter(word.utf8.first) && word.utf8.last != underscore
            && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == underscore }
            && !zip(word.utf8, word.utf8.dropFirst()).contains { $0 == (underscore, underscore) }
    }

    private static let underscore = UInt8(ascii: "_")

    private static func isLetter(_ byte: UInt8?) -> Bool { byte?.isASCIILetter == true }
}
