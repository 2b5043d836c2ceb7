import Varlink
import VarlinkSocket

/// An interface with one method for each way to be answered.
enum Example {
    static let text = """
        interface org.example.test
        method Echo(text: string, count: ?int) -> (text: string)
        method Suspend() -> ()
        method Count(to: int) -> (number: int)
        method Flood() -> (text: string)
        method Fail(how: string) -> ()
        method Unwritten() -> ()
        error Broken (reason: string)
        error Failed (reason: string)
        """

    struct Echo: ExampleMethod {
        var text: String
        var count: Int?
        struct Reply: Codable, Hashable, Sendable { var text: String }
    }

    struct Suspend: ExampleMethod {
        struct Reply: Codable, Hashable, Sendable {}
    }

    struct Count: ExampleMethod {
        var to: Int
        struct Reply: Codable, Hashable, Sendable { var number: Int }
    }

    struct Flood: ExampleMethod {
        struct Reply: Codable, Hashable, Sendable { var text: String }
    }

    struct Fail: ExampleMethod {
        var how: String
        struct Reply: Codable, Hashable, Sendable {}
    }

    struct Broken: Fault, Hashable {
        static let name = "org.example.test.Broken"
        var reason: String
    }

    struct Failed: Fault, Hashable {
        static let name = "org.example.test.Failed"
        var reason: String
    }

    static let faults = FaultCatalog([Broken.self, Failed.self])
}

protocol ExampleMethod: Method {}

extension ExampleMethod {
    static var name: String { "org.example.test." + String(describing: Self.self) }
}
