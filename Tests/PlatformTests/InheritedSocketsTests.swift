import Glibc
import TestSupport
import Testing

@testable import Platform

/// Each test runs in its own process, because the sockets are described by environment variables.
struct InheritedSocketsTests {
    @Test func `Pending connections of an inherited socket are closed`() async {
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
