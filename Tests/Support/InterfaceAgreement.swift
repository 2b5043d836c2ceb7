import Foundation
public import Varlink

/// A check whether Swift types agree with an interface file: every message that the file allows must survive
/// decoding and encoding, and the types must not have fields that are missing in the file.
public struct InterfaceAgreement {
    private let interface: VarlinkInterface

    public init(_ interface: VarlinkInterface) { self.interface = interface }

    /// Returns a description of each difference between a method, with its reply, and the file.
    public func differences<M: Method>(of method: M.Type) throws -> [String] {
        let written = interface.methods.first { M.name == interface.name + "." + $0.name }
        guard let written else { return ["\(M.name) is not in the file"] }
        return try differences(of: method, written.input) + differences(of: M.Reply.self, written.output)
    }

    /// Returns a description of each difference between an error and the file.
    public func differences<F: Fault>(of fault: F.Type) throws -> [String] {
        let written = interface.errors.first { F.name == interface.name + "." + $0.name }
        guard let written else { return ["\(F.name) is not in the file"] }
        return try differences(of: fault, written.parameters)
    }

    private func differences<Value: Codable>(
        of type: Value.Type, _ fields: [TypeExpression.Field]
    ) throws -> [String] {
        var found: [String] = []
        let full = sample(.structure(fields), filled: true)
        let value = try decode(type, full)
        if try object(JSONEncoder().encode(value)) != full as? NSDictionary { found.append("\(type) loses") }
        found += surplus(in: value, fields)
        guard let sparse = sample(.structure(fields), filled: false) as? NSDictionary else { return found }
        if try object(JSONEncoder().encode(decode(type, sparse))) != sparse {
            found.append("\(type) adds")
        }
        return found + fields.compactMap { misfit($0, in: sparse, of: type) }
    }

    /// Checks that exactly the fields that are optional in the file may be missing or `null`.
    private func misfit<Value: Codable>(
        _ field: TypeExpression.Field, in sparse: NSDictionary, of type: Value.Type
    ) -> String? {
        guard let changed = sparse.mutableCopy() as? NSMutableDictionary else { return "no dictionary" }
        if case .optional = field.type {
            changed[field.name] = NSNull()
            return (try? decode(type, changed)) == nil ? "\(type).\(field.name) cannot be null" : nil
        }
        changed.removeObject(forKey: field.name)
        return (try? decode(type, changed)) == nil ? nil : "\(type).\(field.name) can be left out"
    }

    private func surplus(in value: Any, _ fields: [TypeExpression.Field]) -> [String] {
        let children = Array(Mirror(reflecting: value).children)
        let labels = children.compactMap(\.label).sorted()
        guard labels == fields.map(\.name).sorted() else { return ["\(type(of: value)) has \(labels)"] }
        return fields.flatMap { field -> [String] in
            guard let child = children.first(where: { $0.label == field.name }),
                let inner = structure(field.type)
            else { return [] }
            return surplus(in: first(child.value), inner)
        }
    }

    private func structure(_ type: TypeExpression) -> [TypeExpression.Field]? {
        switch type {
        case .structure(let fields): fields
        case .optional(let inner), .array(let inner), .map(let inner): structure(inner)
        case .named(let name): interface.types.first { $0.name == name }.flatMap { structure($0.type) }
        default: nil
        }
    }

    /// Returns the value of an optional or the first element of a list or map, recursively.
    private func first(_ value: Any) -> Any {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection: return mirror.children.first.map { first($0.value) } ?? value
        case .dictionary:
            let pair = mirror.children.first.map { Array(Mirror(reflecting: $0.value).children) }
            return pair?.last.map { first($0.value) } ?? value
        default: return value
        }
    }

    private func sample(_ type: TypeExpression, filled: Bool) -> Any {
        switch type {
        case .bool: return true
        case .int: return 1_763_700_000_123
        case .float: return 1.5
        case .string, .any: return "word"
        case .object: return filled ? ["key": ["list": [1, "word"]]] : NSDictionary()
        case .enumeration(let words): return words.last ?? ""
        case .array(let element): return filled ? [sample(element, filled: true)] : []
        case .map(let element): return filled ? ["key": sample(element, filled: true)] : NSDictionary()
        case .optional(let inner): return sample(inner, filled: filled)
        case .named(let name):
            return interface.types.first { $0.name == name }.map { sample($0.type, filled: filled) } ?? ""
        case .structure(let fields):
            let result = NSMutableDictionary()
            for field in fields {
                if case .optional = field.type, !filled { continue }
                result[field.name] = sample(field.type, filled: filled)
            }
            return result
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ json: Any) throws -> Value {
        try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: json))
    }

    private func object(_ data: Data) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: data) as? NSDictionary
    }
}
