import HTTP
import TestSupport
import Testing

/// While a long poll waits for its answer, others are sent and answered on another connection.
struct LongPollTests {
    private let transport = Transport()

    @Test func `A request does not wait for the answer to another one`() async throws {
        let asked = Gate.Asynchronous()
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            guard request.line.contains("/poll") else {
                connection.answer()
                return
            }
            asked.open()
            connection.waitForClose()
        }
        let poll = Task { try await transport.send(HTTPRequest(server.url + "/poll")) }
        await asked.wait()
        #expect(try await transport.send(HTTPRequest(server.url + "/message")).status == 200)
        poll.cancel()
    }

    @Test func `Nor with TLS, where the server does not tell its version of HTTP`() async throws {
        let certificates = try TestCertificates()
        let root = try await certificates.root()
        let leaf = try await certificates.leaf(by: root)
        let server = try await TLSServer(chain: try certificates.chain(leaf), keyFile: leaf.keyFile)
        let policy = TLSPolicy(caFile: root.file)
        let poll = Task { try await transport.send(HTTPRequest(server.url + "poll"), policy: policy) }
        try await eventually("the poll") { server.wasAsked }
        #expect(try await transport.send(HTTPRequest(server.url), policy: policy).status == 200)
        poll.cancel()
    }
}
