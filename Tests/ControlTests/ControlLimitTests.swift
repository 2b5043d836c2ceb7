import ControlAPI
import Reasons
import Testing
import Varlink

/// Tests that oversized parameters are refused before they are decoded.
struct ControlLimitTests {
    private func refusal(_ method: String, _ parameter: String, _ json: String) throws -> InvalidArgument? {
        let call = try Call(
            decoding: Array(#"{"method":"\#(method)","parameters":{"\#(parameter)":\#(json)}}"#.utf8))
        do throws(InvalidArgument) {
            try ControlSocket.checkParameterSizes(of: call)
            return nil
        } catch { return error }
    }

    @Test func `Every string parameter has a limit, and the error for a longer string names the parameter`()
        throws
    {
        var count = 0
        let methods = try ControlSocket.interfaces.flatMap { described in
            try VarlinkInterface(parsing: described.description).methods.map { (described.name, $0) }
        }
        for (interface, method) in methods {
            let name = "\(interface).\(method.name)"
            for field in method.input where [.string, .optional(.string)].contains(field.type) {
                count += 1
                let limit = ControlSocket.sizeLimit(ofParameter: field.name, inMethod: name)
                #expect(limit <= 2 << 20)
                let text = String(repeating: "a", count: limit)
                #expect(try refusal(name, field.name, "\"\(text)\"") == nil, "\(name) \(field.name)")
                let refused = try #require(try refusal(name, field.name, "\"\(text)a\""))
                #expect(refused.parameter == field.name)
            }
        }
        #expect(count > 40)
    }

    @Test(arguments: [
        ("a", 1), ("é", 2), ("😀", 4), (#"\n"#, 1), (#"\\"#, 1), (#"\u0041"#, 1), (#"\u00e9"#, 2),
        (#"\u20AC"#, 3), (#"\ud83d\ude00"#, 4), (#"\u0000"#, 1),
    ])
    func `The length limit of a string parameter applies to its decoded bytes`(piece: String, size: Int)
        throws
    {
        let count = ControlInterface.shortLimit / size
        let padding = String(repeating: "x", count: ControlInterface.shortLimit - count * size)
        let text = String(repeating: piece, count: count) + padding
        #expect(try refusal(GetConversation.name, "conversation", "\"\(text)\"") == nil)
        let longer = try refusal(GetConversation.name, "conversation", "\"x\(text)\"")
        #expect(longer?.parameter == "conversation" && longer?.reason == "the value is longer than 1 KiB")
        #expect(longer?.reasonValue == Reason(.valueTooLong, ["limit": "1 KiB"]))
    }

    @Test func `The error for an exceeded limit uses the unit of the limit`() throws {
        let long = "\"" + String(repeating: "a", count: 3 << 20) + "\""
        #expect(try refusal(Search.name, "words", long)?.reason == "the value is longer than 4 KiB")
        #expect(try refusal(DeliverPush.name, "payload", long)?.reason == "the value is longer than 64 KiB")
        #expect(try refusal(SendMessage.name, "message", long)?.reason == "the value is longer than 1 MiB")
        #expect(
            try refusal(CreateConversation.name, "message", long)?.reason == "the value is longer than 1 MiB")
        #expect(try refusal(AddNote.name, "message", long)?.reason == "the value is longer than 1 MiB")
        #expect(
            try refusal(CreateCannedResponse.name, "content", long)?.reason
                == "the value is longer than 1 MiB")
        #expect(
            try refusal(UseCannedResponse.name, "variables", long)?.reason
                == "the value is longer than 64 KiB")
        #expect(
            try refusal(CompleteSignIn.name, "redirect", long)?.reason == "the value is longer than 8 KiB")
        #expect(try refusal(Explain.name, "message", long)?.reason == "the value is longer than 1 KiB")
        let receipt = try refusal(VerifySubscription.name, "receiptData", long)
        #expect(receipt?.reason == "the value is longer than 2 MiB")
    }

    @Test func `A list is rejected before it is decoded if the list exceeds the length limit for strings`()
        throws
    {
        let list = "[" + String(repeating: "1,", count: 1 << 20) + "1]"
        #expect(try refusal(Search.name, "limit", list)?.parameter == "limit")
        #expect(try refusal(Search.name, "words", list)?.parameter == "words")
        #expect(try refusal(Search.name, "limit", "50") == nil)
    }
}
