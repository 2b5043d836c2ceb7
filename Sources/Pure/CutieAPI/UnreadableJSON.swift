/// JSON that is none, or not of the expected shape. Names the place and never repeats what stands there,
/// because that may be a token or a person's words.
public struct UnreadableJSON: Error, Hashable, Sendable {
    public enum Problem: Hashable, Sendable {
        case notJSON
        case missing
        case wrongType
        /// Of the right type, and out of what its field may hold.
        case badValue
    }

    /// Keys and positions from the top, as in `events[3].id`; empty for the whole.
    public let path: String
    public let problem: Problem

    public init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Self.path(of: context.codingPath + [key]), problem: .missing)
        case .valueNotFound(_, let context):
            self.init(path: Self.path(of: context.codingPath), problem: .missing)
        case .typeMismatch(_, let context):
            self.init(path: Self.path(of: context.codingPath), problem: .wrongType)
        case .dataCorrupted(let context):
            let path = Self.path(of: context.codingPath)
            self.init(path: path, problem: path.isEmpty ? .notJSON : .badValue)
        @unknown default:
            self.init(path: "", problem: .notJSON)
        }
    }

    private static func path(of keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
    }
}

extension UnreadableJSON: CustomStringConvertible {
    public var description: String {
        switch problem {
        case .notJSON: "not valid JSON"
        case .missing: "\(path.isEmpty ? "value" : path) is missing"
        case .wrongType: "\(path.isEmpty ? "value" : path) has the wrong type"
        case .badValue: "\(path) has a value that it cannot have"
        }
    }
}
