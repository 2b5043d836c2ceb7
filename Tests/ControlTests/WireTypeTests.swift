import ControlAPI
import Foundation
import TestSupport
import Testing
import Varlink

/// Tests of the Swift types that are generated from the descriptions of the control interfaces.
struct WireTypeTests {
    @Test func `The name of each control interface equals the name in its description`() throws {
        for described in ControlSocket.interfaces {
            #expect(try VarlinkInterface(parsing: described.description).name == described.name)
        }
        #expect(
            ControlSocket.interfaces.map { $0.name }
                == ["io.cutied.Control", "io.cutied.Grants", "io.cutied.SignIn", "io.cutied.Staff"])
    }

    @Test
    func `Every message that the control interfaces allow is unchanged after it is decoded and encoded`()
        throws
    {
        for described in ControlSocket.interfaces {
            let messages = InterfaceMessages(try VarlinkInterface(parsing: described.description))
            for method in described.methods { #expect(try messages.changes(by: method) == []) }
            for fault in described.faults { #expect(try messages.changes(by: fault) == []) }
        }
    }

    @Test(arguments: [
        ("message.created", EntryKind.messageCreated), ("access.revoked", .accessRevoked),
        ("survey.created", .unknown("survey.created")), ("", .unknown("")),
    ])
    func `The type of an event log entry is decoded, and an unknown type is preserved`(
        type: String, kind: EntryKind
    ) throws {
        let json = #"{"at":1,"sequence":1,"type":"\#(type)"}"#
        let entry = try JSONDecoder().decode(Watch.Reply.self, from: Data(json.utf8))
        #expect(entry.type == kind)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(entry), as: UTF8.self) == json)
    }

    @Test func `A message without a field that the interface requires is rejected`() {
        for json in ["{}", #"{"queued":true}"#, #"{"conversations":null,"queued":true}"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(MarkRead.Reply.self, from: Data(json.utf8))
            }
        }
    }
}
