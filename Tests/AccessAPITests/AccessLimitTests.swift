import AccessAPI
import Testing
import Varlink

/// Tests that oversized parameters are refused before they are decoded.
struct AccessLimitTests {
    private func refusal(_ method: String, _ parameter: String, _ json: String) throws -> InvalidArgument? {
        let call = try Call(
            decoding: Array(#"{"method":"\#(method)","parameters":{"\#(parameter)":\#(json)}}"#.utf8))
        do throws(InvalidArgument) {
            try AccessInterface.checkParameterSizes(of: call)
            return nil
        } catch { return error }
    }

    @Test func `Every string parameter has a limit, and the error for a longer string names the parameter`()
        throws
    {
        var count = 0
        for method in try VarlinkInterface(parsing: AccessInterface.description).methods {
            let name = "\(AccessInterface.name).\(method.name)"
            for field in method.input where [.string, .optional(.string)].contains(field.type) {
                count += 1
                let limit = AccessInterface.sizeLimit(ofParameter: field.name, inMethod: name)
                let text = String(repeating: "a", count: limit)
                #expect(try refusal(name, field.name, "\"\(text)\"") == nil, "\(name) \(field.name)")
                let refused = try #require(try refusal(name, field.name, "\"\(text)a\""))
                #expect(refused.parameter == field.name)
            }
        }
        #expect(count > 20)
    }

    @Test func `A message may be up to 1 MiB long, and a name up to 1 KiB`() {
        let send = SendMessage.name
        #expect(AccessInterface.sizeLimit(ofParameter: "message", inMethod: send) == 1 << 20)
        #expect(AccessInterface.sizeLimit(ofParameter: "conversation", inMethod: send) == 1 << 10)
        #expect(
            AccessInterface.sizeLimit(ofParameter: "message", inMethod: CreateConversation.name) == 1 << 20)
        for name in ["token", "renew"] {
            #expect(
                AccessInterface.sizeLimit(ofParameter: name, inMethod: AuthorizeProtocols.name) == 16 << 10)
        }
    }

    @Test func `The maximum number of protocols is accepted even if the names contain JSON escape sequences`()
        throws
    {
        let name = #"""# + String(repeating: #"\u0061"#, count: 1 << 10) + #"""#
        let list = Array(repeating: name, count: 32).joined(separator: ",")
        #expect(try refusal(AuthorizeProtocols.name, "protocols", "[\(list)]") == nil)
        #expect(try refusal(AuthorizeProtocols.name, "protocols", "[\(list),\(name)]") != nil)
    }

    @Test(arguments: [
        ([], "protocols"), (Array(repeating: "a", count: 33), "protocols"), (["a", ""], "protocols[1]"),
        (["a", "b", String(repeating: "é", count: 513)], "protocols[2]"),
    ])
    func `The error for an invalid list of protocols names the index of the invalid element`(
        protocols: [String], parameter: String
    ) throws {
        let call = AuthorizeProtocols(clientId: "c", appId: "a", appName: "A", protocols: protocols)
        let refused = #expect(throws: InvalidArgument.self) { try call.checkProtocolNames() }
        #expect(refused?.parameter == parameter)
    }

    @Test func `A list of 32 protocol names is accepted even if each name is 1 KiB long`() throws {
        let name = String(repeating: "é", count: 512)
        try AuthorizeProtocols(
            clientId: "c", appId: "a", appName: "A", protocols: Array(repeating: name, count: 32)
        ).checkProtocolNames()
    }
}
