/// A type as an interface definition writes it.
public indirect enum TypeExpression: Hashable, Sendable {
    case bool, int, float, string
    /// Any JSON object.
    case object
    /// Any JSON value but null.
    case any
    /// A type of the same interface.
    case named(String)
    case structure([Field])
    case enumeration([String])
    case array(TypeExpression)
    /// Keyed by strings.
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

    /// The names of the interface's types that it refers to, however deep.
    var references: Set<String> {
        switch self {
        case .named(let name): [name]
        case .structure(let fields): fields.reduce(into: []) { $0.formUnion($1.type.references) }
        case .array(let element), .map(let element), .optional(let element): element.references
        case .bool, .int, .float, .string, .object, .any, .enumeration: []
        }
    }
}
