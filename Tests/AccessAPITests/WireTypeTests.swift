import AccessAPI
import TestSupport
import Testing
import Varlink

/// Tests of the Swift types that are generated from the description of the app interface.
struct AccessWireTypeTests {
    @Test func `Every message that the app interface allows is unchanged after it is decoded and encoded`()
        throws
    {
        let interface = try VarlinkInterface(parsing: AccessInterface.description)
        #expect(interface.name == "io.cutied.Access" && AccessInterface.name == interface.name)
        let messages = InterfaceMessages(interface)
        for method in AccessInterface.methods { #expect(try messages.changes(by: method) == []) }
        for fault in AccessInterface.faults { #expect(try messages.changes(by: fault) == []) }
    }

    @Test func `The test of the app interface detects missing fields and fields wrongly marked as required`()
        throws
    {
        let other = try VarlinkInterface(
            parsing: """
                interface io.cutied.Access
                method AppOpen() -> (link: string, more: ?bool)
                method AppCode() -> (code: ?string, link: string)
                """)
        let messages = InterfaceMessages(other)
        #expect(try messages.changes(by: AppOpen.self) == ["Reply changes a message"])
        #expect(throws: (any Error).self) { try messages.changes(by: AppCode.self) }
    }
}
