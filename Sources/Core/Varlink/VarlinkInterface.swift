/// A parsed interface definition: names, types and comments.
public struct VarlinkInterface: Hashable, Sendable {
    public let name: String
    public let documentation: String
    /// The types in the order of the definition.
    public let types: [TypeDeclaration]
    public let methods: [MethodDeclaration]
    public let errors: [ErrorDeclaration]
    /// The source text of the definition.
    public let text: String

    public struct TypeDeclaration: Hashable, Sendable {
        public let name: String
        public let documentation: String
        public let type: TypeExpression
    }

    public struct MethodDeclaration: Hashable, Sendable {
        public let name: String
        public let documentation: String
        public let input: [TypeExpression.Field]
        public let output: [TypeExpression.Field]
    }

    public struct ErrorDeclaration: Hashable, Sendable {
        public let name: String
        public let documentation: String
        public let parameters: [TypeExpression.Field]
    }

    /// Parses a definition in the language of varlink.org.
    public init(parsing text: String) throws(InterfaceSyntaxError) {
        var parser = try InterfaceParser(text)
        let members = try parser.parse()
        self.text = text
        (name, documentation) = (parser.name, parser.documentation)
        (types, methods, errors) = (members.types, members.methods, members.errors)
        try checkForDuplicateNames()
        try checkForUnknownTypes()
    }

    private func checkForDuplicateNames() throws(InterfaceSyntaxError) {
        var seen: Set<String> = []
        for name in types.map(\.name) + methods.map(\.name) + errors.map(\.name) {
            guard seen.insert(name).inserted else {
                throw InterfaceSyntaxError(line: nil, reason: "\(name) is declared twice")
            }
        }
    }

    private func checkForUnknownTypes() throws(InterfaceSyntaxError) {
        let fields = methods.flatMap { $0.input + $0.output } + errors.flatMap(\.parameters)
        let used = types.map(\.type) + fields.map(\.type)
        let references = used.reduce(into: Set()) { $0.formUnion($1.references) }
        if let unknown = references.subtracting(types.map(\.name)).min() {
            throw InterfaceSyntaxError(line: nil, reason: "the type \(unknown) is not declared")
        }
    }
}

public indirect enum TypeExpression: Hashable, Sendable {
    case bool, int, float, string
    /// A JSON object of any structure.
    case object
    /// A JSON value of any type except null.
    case any
    /// A type that the interface declares. The value is the name of the type.
    case named(String)
    case structure([Field])
    case enumeration([String])
    case array(TypeExpression)
    /// A map with string keys.
    case map(TypeExpression)
    case optional(TypeExpression)

    public struct Field: Hashable, Sendable {
        public let name: String
        public let type: TypeExpression

        public init(name: String, type: TypeExpression) {
            self.name = name
            self.type = type
        }
    }

    /// The names of the types that this type uses, directly or through other types of the interface.
    var references: Set<String> {
        switch self {
        case .named(let name): [name]
        case .structure(let fields): fields.reduce(into: []) { $0.formUnion($1.type.references) }
        case .array(let element), .map(let element), .optional(let element): element.references
        case .bool, .int, .float, .string, .object, .any, .enumeration: []
        }
    }
}

/// The error for an invalid interface definition.
public struct InterfaceSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The line number of the error, counted from 1; `nil` if the error is not about one line.
    public let line: Int?
    public let reason: String

    public var description: String {
        line.map { "line \($0): \(reason)" } ?? reason
    }
}
