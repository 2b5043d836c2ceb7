import JSONReading
import Testing
import Varlink

@Suite struct ReplyTests {
    private struct Broken: Fault, Hashable {
        static let name = "a.b.Broken"
        var reason: String
    }

    private func reply(_ text: String) throws -> Reply { try Reply(decoding: Array(text.utf8)) }

    @Test func `An encoded reply contains its parameters, and "continues" only if the flag is set`() throws {
        let reply = try Reply(["b": 2, "a": 1])
        #expect(String(decoding: reply.encoded, as: UTF8.self) == "{\"parameters\":{\"a\":1,\"b\":2}}\0")
        let more = Reply(parametersJSON: Array("{}".utf8), continues: true)
        #expect(String(decoding: more.encoded, as: UTF8.self) == "{\"parameters\":{},\"continues\":true}\0")
    }

    @Test func `The parameters of a reply are returned exactly as the service sent them`() throws {
        let text = #"{ "b" : 1.0 , "a" : "\u00fc" }"#
        #expect(try reply(#"{"parameters": \#(text) }"#).checkedParametersJSON() == Array(text.utf8))
        #expect(try reply(#"{}"#).checkedParametersJSON() == Array("{}".utf8))
    }

    @Test func `An error is decoded to the type that the service threw`() throws {
        let sent = Reply(fault: Broken(reason: "why")).encoded
        let received = try Reply(decoding: sent.dropLast())
        #expect(throws: Broken(reason: "why")) {
            try received.checkedParametersJSON(faults: FaultCatalog([Broken.self]))
        }
    }

    @Test func `A standard Varlink error is decoded without a catalog`() throws {
        let received = try reply(
            #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.b.C"}}"#)
        #expect(throws: MethodNotFound(method: "a.b.C")) { try received.checkedParametersJSON() }
        #expect(throws: ExpectedMore()) {
            try reply(#"{"error":"org.varlink.service.ExpectedMore"}"#).checkedParametersJSON()
        }
    }

    @Test(arguments: [#"{"reason":1}"#, #"{"other":2}"#])
    func `An unknown error preserves its name and parameters`(parameters: String) throws {
        let received = try reply(#"{"error":"a.b.Broken","parameters":\#(parameters)}"#)
        #expect(throws: UnknownFault(name: "a.b.Broken", parametersJSON: Array(parameters.utf8))) {
            try received.checkedParametersJSON(faults: FaultCatalog([Broken.self]))
        }
    }

    @Test(arguments: ["[]", "{", #"{"error":1}"#, #"{"continues":"yes"}"#])
    func `An invalid reply causes an error`(text: String) {
        #expect(throws: MessageError.self) { try reply(text) }
    }

    @Test func `A JSON value is unchanged after it is encoded and decoded`() throws {
        let value = JSONValue.object([
            "null": .null, "bool": .bool(true), "int": .int(.max), "float": .float(1.5), "text": .string("x"),
            "list": .array([.int(1), .object([:])]),
        ])
        #expect(try Reply(value).decodeParameters(as: JSONValue.self) == value)
    }

    @Test(arguments: ["9.223372036854708e+15", "1e18", "-4e17", "2.0", "9223372036854775807", "1e19", "0.1"])
    func `The value of a JSON number is unchanged after the number is encoded and decoded`(text: String)
        throws
    {
        let value = try reply(#"{"parameters":{"n":\#(text)}}"#).decodeParameters(as: JSONValue.self)
        #expect(try Reply(value).decodeParameters(as: JSONValue.self) == value)
    }
}
