import Foundation
public import Varlink

/// A generator of messages that an interface allows. Tests check that each message survives a round trip
/// through the Swift types.
public struct InterfaceMessages {
    private let interface: VarlinkInterface

    public init(_ interface: VarlinkInterface) { self.interface = interface }

    /// Decodes and encodes samples of a method's parameters and reply. Returns a description of each
    /// problem.
    public func changes<M: Method>(by method: M.Type) throws -> [String] {
        let declared = interface.methods.first { M.name == interface.name + "." + $0.name }
        guard let declared else { return ["\(M.name) is not in the interface"] }
        return try changes(by: method, declared.input) + changes(by: M.Reply.self, declared.output)
    }

    /// Decodes and encodes samples of an error's parameters. Returns a description of each problem.
    public func changes<F: Fault>(by fault: F.Type) throws -> [String] {
        let declared = interface.errors.first { F.name == interface.name + "." + $0.name }
        guard let declared else { return ["\(F.name) is not in the interface"] }
        return try changes(by: fault, declared.parameters)
    }

    private func changes<Value: Codable>(
        by type: Value.Type, _ fields: [TypeExpression.Field]
    ) throws -> [String] {
        // Eight samples cover all enumerations, because no enumeration has more than eight values.
        let full = (0..<8).map { sample(.structure(fields), word: $0) }
        let isChanged = try ([sample(.structure(fields), word: nil)] + full).contains { message in
            let value = try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: message))
            let result = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
            return result as? NSDictionary != message as? NSDictionary
        }
        return isChanged ? ["\(type) changes a message"] : []
    }

    /// Returns a sample value of a type. `word` is the index of the enumeration value; `nil` omits optional
    /// fields.
    private func sample(_ type: TypeExpression, word: Int?) -> Any {
        switch type {
        case .bool: return true
        case .int: return 1_763_700_000_123
        case .float: return 1.5
        case .string, .any: return "word"
        case .object: return word == nil ? NSDictionary() : ["key": ["list": [1, "word"]]]
        case .enumeration(let words): return words[(word ?? 0) % words.count]
        case .array(let element): return word == nil ? [] : [sample(element, word: word)]
        case .map(let element): return word == nil ? NSDictionary() : ["key": sample(element, word: word)]
        case .optional(let inner): return sample(inner, word: word)
        case .named(let name):
            return interface.types.first { $0.name == name }.map { sample($0.type, word: word) } ?? ""
        case .structure(let fields):
            let result = NSMutableDictionary()
            for field in fields {
                if case .optional = field.type, word == nil { continue }
                result[field.name] = sample(field.type, word: word)
            }
            return result
        }
    }
}
