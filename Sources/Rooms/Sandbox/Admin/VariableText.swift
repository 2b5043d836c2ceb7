import CutieAPI

/// What stands for a variable in a text: any JSON value, as a person would write it.
struct VariableText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try LooseValue(from: decoder)
        if case .string(let string) = value {
            text = string
        } else {
            text = value == .null ? "" : String(decoding: try JSON.encode(value), as: UTF8.self)
        }
    }
}

private enum LooseValue: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case list([LooseValue])
    case object([String: LooseValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([LooseValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: LooseValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
