import Glibc
import TestSupport
import Testing

@testable import Platform

/// Tests that run in separate processes, each with its own environment variables, which describe the
/// inherited sockets.
struct InheritedSocketsTests {
    @Test func `Connections that wait on an inherited socket are closed`() async {
        await #expect(processExitsWith: .success) {
            let listener = try UnixSocket(SOCK_STREAM, listening: true)
            listener.offerAsActivation(named: "varlink")
            let clients = try [listener.client(), listener.client()]
            InheritedSockets.rejectPendingConnections()
            for client in clients {
                var byte: UInt8 = 0
                #expect(recv(client, &byte, 1, 0) == 0)
            }
        }
    }
}
