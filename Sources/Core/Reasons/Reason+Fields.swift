/// The fields that contain a reason in a Varlink message or in the database: `reason`, `reasonCode` and
/// `reasonArguments`. If a program does not know the code, it shows the English message in `reason`.
extension Reason {
    /// The arguments by name; `nil` if the reason has no code. If the argument NAME is itself a reason, NAME
    /// is its English sentence, `NAME.code` is its code, and each `NAME.ARGUMENT` is one of its arguments.
    public var argumentFields: [String: String]? {
        guard case .coded(_, let arguments) = self else { return nil }
        var fields: [String: String] = [:]
        for (name, argument) in arguments {
            fields[name] = argument.english
            guard let code = argument.code else { continue }
            fields[Self.joinedPath(name, inner: Self.codeName)] = code.rawValue
            for (inner, text) in argument.argumentFields ?? [:] {
                fields[Self.joinedPath(name, inner: inner)] = text
            }
        }
        return fields
    }

    /// Creates a reason from its fields. If the code is unknown or an argument is missing, the reason is
    /// `text`.
    public init(text: String, code: String?, arguments: [String: String]?) {
        self = Self.decodeReason(code: code, fields: arguments ?? [:], depth: 0) ?? .text(text)
    }

    /// Creates a reason from optional fields; returns `nil` if `text` is `nil`.
    public init?(text: String?, code: String?, arguments: [String: String]?) {
        guard let text else { return nil }
        self.init(text: text, code: code, arguments: arguments)
    }

    private static func decodeReason(code: String?, fields: [String: String], depth: Int) -> Reason? {
        guard let code = code.flatMap(Code.init(rawValue:)), depth < maxDepth else { return nil }
        var arguments: [String: Reason] = [:]
        for (name, text) in fields where code.placeholders.contains(name) || name == advice {
            let prefix = joinedPath(name, inner: "")
            let inner = fields.filter { $0.key.hasPrefix(prefix) }
                .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
            let own = Dictionary(inner) { first, _ in first }
            arguments[name] = decodeReason(code: own[codeName], fields: own, depth: depth + 1) ?? .text(text)
        }
        return code.acceptsArguments(named: arguments.keys) ? .coded(code, arguments) : nil
    }

    /// The maximum nesting depth of reasons. The reasons of this program are nested two or three levels deep.
    private static let maxDepth = 8
    private static let codeName = "code"

    private static func joinedPath(_ name: String, inner: String) -> String { name + "." + inner }
}

/// A reason in the form that the database stores.
public struct StoredReason: Hashable, Codable, Sendable {
    /// The English sentence, for older versions of the program, which do not know codes.
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

    /// Decodes a stored reason, or the plain string that earlier versions stored.
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
