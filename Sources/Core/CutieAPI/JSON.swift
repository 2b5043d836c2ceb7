public import FoundationEssentials
import JSONReading
public import Reasons

/// The JSON encoder and decoder for the API. All code uses these functions instead of the functions of
/// Foundation.
///
/// Foundation limits the nesting to 512 levels, so deep input cannot overflow the stack. The size is not
/// limited, so the code that receives the bytes must limit it.
public enum JSON {
    /// Returns the JSON of `value` with sorted keys, so that equal values have equal bytes.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        try JSONCoding.encode(value)
    }

    /// Decodes `bytes`. Invalid UTF-8 and unpaired surrogates become U+FFFD.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Sequence<UInt8>
    ) throws(UnreadableJSON) -> Value {
        try decode(type, from: Data(bytes))
    }

    /// Decodes `bytes`. Adds the errors of discarded parts to `unreadable`; if decoding throws, also adds the
    /// thrown error.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Sequence<UInt8>,
        recordingUnreadablePartsIn unreadable: UnreadableParts?
    ) throws(UnreadableJSON) -> Value {
        guard let unreadable else { return try decode(type, from: bytes) }
        do {
            return try decode(type, from: Data(bytes), context: [.unreadableParts: unreadable])
        } catch {
            unreadable.add(error)
            throw error
        }
    }

    /// Decodes `data`. Invalid UTF-8 and unpaired surrogates become U+FFFD.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws(UnreadableJSON) -> Value {
        try decode(type, from: data, context: [:])
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, context: [CodingUserInfoKey: any Sendable]
    ) throws(UnreadableJSON) -> Value {
        do {
            return try JSONCoding.decode(
                type, data: JSONCoding.replacingInvalidCharacters(in: data), context: context)
        } catch let error as DecodingError {
            throw UnreadableJSON(error)
        } catch {
            throw UnreadableJSON(path: "", problem: .notJSON)
        }
    }
}

/// An error for invalid JSON or for JSON with an unexpected structure. The error contains the path, but not
/// the value, because the value may be a token or a private message.
public struct UnreadableJSON: Error, Hashable, Sendable {
    public enum Problem: Hashable, Sendable {
        case notJSON
        case missing
        case wrongType
        /// The value has the expected type but is invalid.
        case badValue
    }

    /// The keys and indexes from the root, such as `events[3].id`; empty for the root.
    public let path: String
    public let problem: Problem

    public init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Self.codingPathDescription(of: context.codingPath + [key]), problem: .missing)
        case .valueNotFound(_, let context):
            self.init(path: Self.codingPathDescription(of: context.codingPath), problem: .missing)
        case .typeMismatch(_, let context):
            self.init(path: Self.codingPathDescription(of: context.codingPath), problem: .wrongType)
        case .dataCorrupted(let context):
            let path = Self.codingPathDescription(of: context.codingPath)
            self.init(path: path, problem: path.isEmpty ? .notJSON : .badValue)
        @unknown default:
            self.init(path: "", problem: .notJSON)
        }
    }

    private static func codingPathDescription(of keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
    }
}

extension UnreadableJSON: ReasonedError {
    public var reason: Reason {
        let place = ["path": path.isEmpty ? "value" : path]
        return switch problem {
        case .notJSON: Reason(.jsonInvalid)
        case .missing: Reason(.jsonMissing, place)
        case .wrongType: Reason(.jsonWrongType, place)
        case .badValue: Reason(.jsonBadValue, place)
        }
    }
}
