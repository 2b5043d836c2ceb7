/// The fields that carry a reason in a message or in the database: `reason`, `reasonCode` and
/// `reasonArguments`. A program that does not know the code shows the field `reason`.
extension Reason {
    /// The arguments by name; `nil` without a code. An argument that is a reason is present as its English
    /// sentence. The code of this reason has the name `NAME.code`, and its arguments have names of the form
    /// `NAME.ARGUMENT`.
    public var argumentFields: [String: String]? {
        guard case .coded(_, let arguments) = self else { return nil }
        var fields: [String: String] = [:]
        for (name, argument) in arguments {
            fields[name] = argument.english
            guard let code = argument.code else { continue }
            fields[Self.joinedPath(name, Self.codeName)] = code.rawValue
            for (inner, text) in argument.argumentFields ?? [:] {
                fields[Self.joinedPath(name, inner)] = text
            }
        }
        return fields
    }

    /// Creates a reason from its fields. `text` is used if the code is unknown or an argument is missing.
    public init(text: String, code: String?, arguments: [String: String]?) {
        self = Self.decodeKnown(code, arguments ?? [:], depth: 0) ?? .text(text)
    }

    /// Creates a reason from optional fields; returns `nil` if `text` is `nil`.
    public init?(text: String?, code: String?, arguments: [String: String]?) {
        guard let text else { return nil }
        self.init(text: text, code: code, arguments: arguments)
    }

    private static func decodeKnown(_ code: String?, _ fields: [String: String], depth: Int) -> Reason? {
        guard let code = code.flatMap(Code.init(rawValue:)), depth < maxDepth else { return nil }
        var arguments: [String: Reason] = [:]
        for (name, text) in fields where code.placeholders.contains(name) || name == advice {
            let prefix = joinedPath(name, "")
            let inner = fields.filter { $0.key.hasPrefix(prefix) }
                .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
            let own = Dictionary(inner) { first, _ in first }
            arguments[name] = decodeKnown(own[codeName], own, depth: depth + 1) ?? .text(text)
        }
        return code.accepts(arguments.keys) ? .coded(code, arguments) : nil
    }

    /// The maximum nesting depth of reasons. Reasons of this program have two or three levels.
    private static let maxDepth = 8
    private static let codeName = "code"

    private static func joinedPath(_ name: String, _ inner: String) -> String { name + "." + inner }
}

/// A reason in the form in which the database stores it.
public struct StoredReason: Hashable, Codable, Sendable {
    /// The English sentence, for older versions.
    private let reason: String
    private let reasonCode: String?
    private let reasonArguments: [String: String]?

    public init(_ reason: Reason) {
        self.reason = reason.english
        (reasonCode, reasonArguments) = (reason.code?.rawValue, reason.argumentFields)
    }

    private enum CodingKeys: CodingKey {
        case reason, reasonCode, reasonArguments
    }

    /// Also decodes the plain string that earlier versions stored.
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(.text(text))
        } else {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                Reason(
                    text: try fields.decode(String.self, forKey: .reason),
                    code: try fields.decodeIfPresent(String.self, forKey: .reasonCode),
                    arguments: try fields.decodeIfPresent([String: String].self, forKey: .reasonArguments)))
        }
    }

    public var value: Reason { Reason(text: reason, code: reasonCode, arguments: reasonArguments) }
}
