import Testing
import Varlink

@Suite struct ServerSessionTests {
    private let done = Reply(parametersJSON: Array("{}".utf8))
    private let more = Reply(parametersJSON: Array("{}".utf8), continues: true)

    private func session(_ text: String, bytes: Int = 1000) -> ServerSession {
        var session = ServerSession(limits: MessageLimits(bytes: bytes))
        session.receiveBytes(text.utf8)
        return session
    }

    @Test func `Calls that arrive together are returned one at a time`() throws {
        var session = session("{\"method\":\"a.b.A\"}\0{\"method\":\"a.b.B\"}\0{\"met")
        #expect(try session.nextCall()?.method == "a.b.A")
        #expect(try session.nextCall() == nil)
        #expect(!session.isInsideMessage)
        #expect(try session.encodeReply(done) == done.encoded)
        #expect(try session.nextCall()?.method == "a.b.B")
        _ = try session.encodeReply(done)
        #expect(try session.nextCall() == nil)
        #expect(session.isInsideMessage)
    }

    @Test func `A oneway call gets no reply`() throws {
        var session = session("{\"method\":\"a.b.A\",\"oneway\":true}\0{\"method\":\"a.b.B\"}\0")
        _ = try session.nextCall()
        #expect(try session.encodeReply(Reply(fault: PermissionDenied())).isEmpty)
        #expect(try session.nextCall()?.method == "a.b.B")
    }

    @Test func `Several replies are sent only to a call with the flag "more"`() throws {
        var once = session("{\"method\":\"a.b.A\"}\0")
        _ = try once.nextCall()
        #expect(throws: ServerSession.Misuse.moreNotRequested) { try once.encodeReply(more) }
        #expect(once.needsReply)

        var stream = session("{\"method\":\"a.b.A\",\"more\":true}\0")
        _ = try stream.nextCall()
        #expect(try stream.encodeReply(more) == more.encoded)
        #expect(try stream.encodeReply(more) == more.encoded)
        #expect(try stream.encodeReply(done) == done.encoded)
        #expect(throws: ServerSession.Misuse.noCall) { try stream.encodeReply(done) }
    }

    @Test func `A reply that exceeds the limit is not sent, and another reply may be sent instead`() throws {
        var session = session("{\"method\":\"a.b.A\"}\0", bytes: 100)
        _ = try session.nextCall()
        let long = try Reply([String(repeating: "x", count: 100): 1])
        #expect(throws: ServerSession.Misuse.tooLong(limit: 100)) { try session.encodeReply(long) }
        #expect(try !session.encodeReply(done).isEmpty)
    }
}
