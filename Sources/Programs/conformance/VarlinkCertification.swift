import Varlink

/// The methods of `org.varlink.certification`: each one's reply is the next one's argument.
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

/// A step after the first: it tells whose turn it is.
protocol CertificationCall: CertificationMethod, Hashable {
    var client_id: String { get }
}
