import JSONReading
import Varlink

/// The methods of `org.varlink.certification`. The client passes each reply on as the parameters of the next
/// method.
enum Certification {
    struct Start: CertificationMethod {
        struct Reply: Codable, Sendable { var client_id: String }
    }

    struct Test01: CertificationCall {
        var client_id: String
        struct Reply: Codable, Hashable, Sendable { var bool: Bool }
    }

    struct Test02: CertificationCall {
        var client_id: String
        var bool: Bool
        struct Reply: Codable, Hashable, Sendable { var int: Int }
    }

    struct Test03: CertificationCall {
        var client_id: String
        var int: Int
        struct Reply: Codable, Hashable, Sendable { var float: Double }
    }

    struct Test04: CertificationCall {
        var client_id: String
        var float: Double
        struct Reply: Codable, Hashable, Sendable { var string: String }
    }

    struct Test05: CertificationCall {
        var client_id: String
        var string: String
        typealias Reply = Scalars
    }

    struct Test06: CertificationCall {
        var client_id: String
        var bool: Bool
        var int: Int
        var float: Double
        var string: String
        struct Reply: Codable, Hashable, Sendable { var `struct`: Scalars }
    }

    struct Test07: CertificationCall {
        var client_id: String
        var `struct`: Scalars
        struct Reply: Codable, Hashable, Sendable { var map: [String: String] }
    }

    struct Test08: CertificationCall {
        var client_id: String
        var map: [String: String]
        struct Reply: Codable, Hashable, Sendable { var set: [String: Empty] }
    }

    struct Test09: CertificationCall {
        var client_id: String
        var set: [String: Empty]
        struct Reply: Codable, Hashable, Sendable { var mytype: MyType }
    }

    struct Test10: CertificationCall {
        var client_id: String
        var mytype: MyType
        struct Reply: Codable, Hashable, Sendable { var string: String }
    }

    struct Test11: CertificationCall {
        var client_id: String
        var last_more_replies: [String]
        typealias Reply = Empty
    }

    struct End: CertificationCall {
        var client_id: String
        struct Reply: Codable, Hashable, Sendable { var all_ok: Bool }
    }
}

protocol CertificationMethod: Method {}

extension CertificationMethod {
    static var name: String { "org.varlink.certification." + step }
    static var step: String { typeName(Self.self) }
}

/// A certification step after `Start`. Its parameters contain the client ID that `Start` returned.
protocol CertificationCall: CertificationMethod, Hashable {
    var client_id: String { get }
}

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

        struct VarlinkInterface: Codable, Hashable, Sendable {
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
        var interface: VarlinkInterface
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

/// The expected replies. Each reply is also the expected parameters of the next step.
extension Certification {
    static let scalars = Scalars(bool: false, int: 2, float: .pi, string: "a lot of string")
    static let map = ["foo": "Foo", "bar": "Bar"]
    static let set = ["one": Empty(), "two": Empty(), "three": Empty()]
    static let replies = (1...10).map { "Reply number \($0)" }

    static let myType = MyType(
        object: .object([
            "method": .string("org.varlink.certification.Test09"),
            "parameters": .object(["map": .object(["foo": .string("Foo"), "bar": .string("Bar")])]),
        ]),
        enum: "two",
        struct: .init(first: 1, second: "2"),
        array: ["one", "two", "three"],
        dictionary: map,
        stringset: set,
        nullable: nil,
        nullable_array_struct: nil,
        interface: .init(
            foo: [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            anon: .init(foo: true, bar: false)))
}

extension Certification {
    static let description = """
        # Every method's reply is the argument of the next method.
        interface org.varlink.certification

        type Interface (foo: ?[]?[string](foo, bar, baz), anon: (foo: bool, bar: bool))

        type MyType (
          object: object,
          enum: (one, two, three),
          struct: (first: int, second: string),
          array: []string,
          dictionary: [string]string,
          stringset: [string](),
          nullable: ?string,
          nullable_array_struct: ?[](first: int, second: string),
          interface: Interface
        )

        method Start() -> (client_id: string)
        method Test01(client_id: string) -> (bool: bool)
        method Test02(client_id: string, bool: bool) -> (int: int)
        method Test03(client_id: string, int: int) -> (float: float)
        method Test04(client_id: string, float: float) -> (string: string)
        method Test05(client_id: string, string: string) -> (
          bool: bool, int: int, float: float, string: string
        )
        method Test06(client_id: string, bool: bool, int: int, float: float, string: string) -> (
          struct: (bool: bool, int: int, float: float, string: string)
        )
        method Test07(client_id: string, struct: (bool: bool, int: int, float: float, string: string)) -> (
          map: [string]string
        )
        method Test08(client_id: string, map: [string]string) -> (set: [string]())
        method Test09(client_id: string, set: [string]()) -> (mytype: MyType)

        # Called with more, it answers ten times.
        method Test10(client_id: string, mytype: MyType) -> (string: string)

        # Must be called as oneway.
        method Test11(client_id: string, last_more_replies: []string) -> ()
        method End(client_id: string) -> (all_ok: bool)

        error ClientIdError ()
        error CertificationError (wants: object, got: object)

        """
}
