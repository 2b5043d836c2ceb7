import Testing
import Varlink
import VarlinkSocket

/// Tests that a service with inconsistent parts cannot be created.
struct ServiceTests {
    private let whole = ExampleService().implementation().on { (_: Example.Unwritten) in .init() }

    private func service(_ implementations: [Implementation]) throws -> Service {
        try Service(
            information: .init(vendor: "v", product: "p", version: "1", url: "u"),
            interfaces: [VarlinkInterface(parsing: Example.text)], implementations: implementations,
            fault: { Example.Failed(reason: "\($0)") })
    }

    @Test func `A service is accepted if its parts together have a handler for each method`() throws {
        let rest = Implementation().on { (_: Example.Unwritten) in .init() }
        #expect(throws: Never.self) { try service([ExampleService().implementation(), rest]) }
    }

    @Test func `A method without a handler causes an error`() {
        let missing = ServiceMismatch.notImplemented(methods: ["org.example.test.Unwritten"])
        #expect(throws: missing) { try service([ExampleService().implementation()]) }
    }

    @Test func `Two handlers for the same method cause an error, whether in one part or in two parts`() {
        let echo = Implementation().on { (_: Example.Echo) in .init(text: "") }
        let twice = ServiceMismatch.implementedTwice(method: "org.example.test.Echo")
        #expect(throws: twice) { try service([whole, echo]) }
        #expect(throws: twice) { try service([whole.on { (_: Example.Echo) in .init(text: "") }]) }
    }

    @Test func `A handler for a method that the interface does not declare causes an error`() {
        struct Stray: Method {
            static let name = "org.example.test.Stray"
            struct Reply: Codable, Sendable {}
        }
        let stray = Implementation().on { (_: Stray) in .init() }
        #expect(throws: ServiceMismatch.notDescribed(method: Stray.name)) { try service([whole, stray]) }
    }
}
