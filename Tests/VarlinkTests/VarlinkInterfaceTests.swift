import Testing
import Varlink

@Suite struct VarlinkInterfaceTests {
    @Test func `An interface description is parsed with its comments, types and members`() throws {
        let interface = try VarlinkInterface(
            parsing: """
                # Not about the interface.

                # What it is,
                #  in two lines.
                interface org.example.test-1

                # A thing.
                type Thing (a: ?[]?[string](one, two), b: object, c: any, d: Word) # no comment of Word
                type Word (yes, no)

                # Does it.
                method Do(thing: Thing, n: int) -> (
                  # Documented inside.
                  ok: bool,
                  ratio: float,
                  set: [string]()
                )
                method Nothing()->()
                error Bad (text: string)
                """)
        #expect(interface.name == "org.example.test-1")
        #expect(interface.documentation == "What it is,\n in two lines.")
        #expect(interface.types.map(\.name) == ["Thing", "Word"])
        #expect(interface.types.map(\.documentation) == ["A thing.", ""])
        #expect(interface.types[1].type == .enumeration(["yes", "no"]))
        #expect(
            interface.types[0].type
                == .structure([
                    .init(name: "a", type: .optional(.array(.optional(.map(.enumeration(["one", "two"])))))),
                    .init(name: "b", type: .object), .init(name: "c", type: .any),
                    .init(name: "d", type: .named("Word")),
                ]))
        #expect(interface.methods.map(\.name) == ["Do", "Nothing"])
        #expect(interface.methods[0].documentation == "Does it.")
        #expect(interface.methods[0].input.map(\.name) == ["thing", "n"])
        #expect(interface.methods[0].output[2].type == .map(.structure([])))
        #expect(interface.methods[1].input.isEmpty && interface.methods[1].output.isEmpty)
        #expect(interface.errors.map(\.name) == ["Bad"])
    }

    @Test func `The description of the standard Varlink interface is parsed`() throws {
        let service = try VarlinkInterface(parsing: ServiceInterface.description)
        #expect(service.methods.map(\.name) == ["GetInfo", "GetInterfaceDescription"])
        #expect(
            service.errors.map { service.name + "." + $0.name } == [
                InterfaceNotFound.name, MethodNotFound.name, MethodNotImplemented.name,
                InvalidParameter.name, PermissionDenied.name, ExpectedMore.name,
            ])
        #expect(service.methods.allSatisfy { !$0.documentation.isEmpty })
    }

    @Test(arguments: [
        ("", 1), ("interface x", 1), ("interface a..b", 1), ("interface a.b\nmethod do() -> ()", 2),
        ("interface a.b\n\nmethod Do() (x: int)", 3), ("interface a.b\ntype T (a: int b: int)", 2),
        ("interface a.b\ntype T (a, b: int)", 2), ("interface a.b\ntype T (a: int", 2),
        ("interface a.b\ntype T (a: ??int)", 2), ("interface a.b\ntype T (a_: int)", 2),
        ("interface a.b\nerror E (one, two)", 2), ("interface a.b\nthing T ()", 2),
        ("interface a.b\ntype T (a: int, a: int)", 2), ("interface a.b\ntype T (a: $)", 2),
    ])
    func `The error for an invalid interface description contains the line`(text: String, line: Int) {
        let error = #expect(throws: InterfaceSyntaxError.self) { try VarlinkInterface(parsing: text) }
        #expect(error?.line == line)
    }

    @Test func `Line endings and whitespace of a description follow the Unicode rules`() throws {
        let error = #expect(throws: InterfaceSyntaxError.self) {
            try VarlinkInterface(parsing: "# ä\r\ninterface a.b\u{2028}\rtype\u{a0}T\u{3000}()\u{2029}é")
        }
        #expect(error?.line == 5 && error?.reason == "é has no meaning here")
    }

    @Test(arguments: [
        "interface a.b\ntype T ()\nmethod T() -> ()", "interface a.b\nmethod M(x: []Missing) -> ()",
    ])
    func `An interface description with duplicate names or missing parts is rejected`(text: String) {
        #expect(throws: InterfaceSyntaxError.self) { try VarlinkInterface(parsing: text) }
    }

    @Test func `A deeply nested interface description does not crash the parser`() {
        let text = "interface a.b\ntype T (a: " + String(repeating: "[]", count: 100_000) + "int)"
        #expect(throws: InterfaceSyntaxError.self) { try VarlinkInterface(parsing: text) }
    }
}
