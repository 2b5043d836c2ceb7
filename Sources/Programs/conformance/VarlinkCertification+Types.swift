import Varlink

extension Certification {
    struct Empty: Codable, Hashable, Sendable {}

    struct Scalars: Codable, Hashable, Sendable {
        var bool: Bool
        var int: Int
        var float: Double
        var string: String
    }

    struct MyType: Codable, Hashable, Sendable {
        struct Pair: Codable, Hashable, Sendable {
            var first: Int
            var second: String
        }

        struct Anonymous: Codable, Hashable, Sendable {
            var foo: Bool
            var bar: Bool
        }

        struct Interface: Codable, Hashable, Sendable {
            var foo: [[String: String]?]?
            var anon: Anonymous
        }

        var object: JSONValue
        var `enum`: String
        var `struct`: Pair
        var array: [String]
        var dictionary: [String: String]
        var stringset: [String: Empty]
        var nullable: String?
        var nullable_array_struct: [Pair]?
        var interface: Interface
    }

    struct ClientIdError: CertificationFault {}

    struct CertificationError: CertificationFault {
        var wants: JSONValue
        var got: JSONValue
    }
}

protocol CertificationFault: Fault, Hashable {}

extension CertificationFault {
    static var name: String { "org.varlink.certification." + typeName(Self.self) }
}
