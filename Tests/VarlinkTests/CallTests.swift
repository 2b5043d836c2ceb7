import Testing
import Varlink

@Suite struct CallTests {
    private struct Item: Codable {
        var name: String
        var tags: [Int]?
    }

    private struct Parameters: Codable {
        var count: Int
        var item: Item?
    }

    private func call(_ text: String) throws -> Call { try Call(decoding: Array(text.utf8)) }

    @Test func `The flags of a call are decoded even if its parameters are invalid`() throws {
        let call = try call(#"{"parameters":{"count":"no"},"method":"a.b.C","more":true}"#)
        #expect(call.method == "a.b.C")
        #expect(call.wantsMore && !call.isOneway && !call.wantsUpgrade)
        #expect(throws: InvalidParameter(parameter: "count")) {
            try call.decodeParameters(as: Parameters.self)
        }
    }

    @Test(arguments: [
        #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":null}"#,
        #"{"method":"a.b.C","parameters" : {} }"#, #" {"m\u0065thod":"a.b.C", "param\u0065ters": {}}"#,
    ])
    func `Missing, null and empty parameters of a call are equivalent`(text: String) throws {
        #expect(try call(text).parametersJSON == Array("{}".utf8))
    }

    @Test func `The first value of a repeated member is both decoded and forwarded`() throws {
        let call = try call(#"{"method":"a.b.C","parameters":{"n":1},"method":"a.b.D","parameters":{"n":2}}"#)
        #expect(call.method == "a.b.C")
        #expect(call.parametersJSON == Array(#"{"n":1}"#.utf8))
    }

    @Test(arguments: [
        (#"{}"#, "count"),
        (#"{"count":null}"#, "count"),
        (#"{"count":1.5}"#, "count"),
        (#"{"count":99999999999999999999}"#, "count"),
        (#"{"count":1,"item":{}}"#, "item.name"),
        (#"{"count":1,"item":{"name":"x","tags":[1,"y"]}}"#, "item.tags[1]"),
        (#"{"item":{"name":"x","tags":[0.5]},"count":1}"#, "item"),
        (#"[1]"#, "parameters"),
        (#""x""#, "parameters"),
    ])
    func `The error for an invalid parameter contains the name of the parameter`(
        parameters: String, name: String
    )
        throws
    {
        let call = try call(#"{"method":"a.b.C","parameters":\#(parameters)}"#)
        #expect(throws: InvalidParameter(parameter: name)) { try call.decodeParameters(as: Parameters.self) }
    }

    @Test func `The error for an unknown parameter contains the name of the parameter`() throws {
        let call = try call(#"{"method":"a.b.C","parameters":{"a":{"x":1},"b":[{"y":2}],"\u0063":3}}"#)
        try call.rejectParameters(notIn: ["a", "b", "c"])
        #expect(throws: InvalidParameter(parameter: "c")) { try call.rejectParameters(notIn: ["a", "b"]) }
    }

    @Test(arguments: [
        "", " ", "null", "[]", "\"method\"", "{", "}", "{}}", #"{"method":"a.b.C""#, #"{"method"}"#, "{\"",
        #"{"method":"a.b.C"}{"#, "{\"method\":\"a\\",
    ])
    func `A message that is not a JSON object is rejected`(text: String) {
        #expect(throws: MessageError.notJSON) { try call(text) }
    }

    @Test(arguments: [
        "{}", #"{"method":1}"#, #"{"method":"a.b.C","more":1}"#, #"{"method":"a.b.C","oneway":"true"}"#,
        #"{"method":"a.b.C","more":true,"oneway":true}"#,
    ])
    func `A message without a method or with invalid flags is rejected`(text: String) {
        let error = #expect(throws: MessageError.self) { try call(text) }
        guard case .notACall = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `A message nested up to 128 levels is accepted`() throws {
        // The message and its parameters already use two levels.
        func nested(_ levels: Int) -> String {
            let (open, close) = (String(repeating: "[", count: levels), String(repeating: "]", count: levels))
            return #"{"method":"a.b.C","parameters":{"text":"[[[{{{\"[[","list":\#(open)\#(close)}}"#
        }
        _ = try call(nested(126))
        #expect(throws: MessageError.tooDeep(limit: 128)) { try call(nested(127)) }
        #expect(throws: MessageError.tooDeep(limit: 128)) { try call(nested(100_000)) }
    }

    @Test func `An encoded call contains no empty fields`() throws {
        struct Bare: Method {
            static let name = "a.b.Bare"
            struct Reply: Codable {}
        }
        #expect(try String(decoding: Call.encode(Bare()), as: UTF8.self) == "{\"method\":\"a.b.Bare\"}\0")
        #expect(
            try String(decoding: Call.encode(Bare(), mode: .more), as: UTF8.self)
                == "{\"method\":\"a.b.Bare\",\"more\":true}\0")
    }

    @Test func `A call is unchanged after it is encoded and decoded`() throws {
        struct Say: Method, Hashable {
            static let name = "a.b.Say"
            var text: String
            struct Reply: Codable {}
        }
        let say = Say(text: "\"\0 / ü 😀")
        let bytes = try Call.encode(say, mode: .oneway)
        #expect(bytes.filter { $0 == 0 }.count == 1)
        let call = try Call(decoding: bytes.dropLast())
        #expect(call.isOneway)
        #expect(try call.decodeParameters(as: Say.self) == say)
    }
}
