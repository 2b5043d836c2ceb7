import Glibc
import TestSupport
import Testing

@testable import Platform

/// Tests that run in separate processes, each with its own environment variable that contains the path of the
/// socket.
struct ServiceStatusTests {
    @Test func `Line breaks in a status sent to systemd are replaced`() async {
        await #expect(processExitsWith: .success) {
            let manager = try UnixSocket(SOCK_DGRAM)
            setenv("NOTIFY_SOCKET", manager.path, 1)
            ServiceStatus.sendToServiceManager("a library is missing\nREADY=1")
            #expect(try manager.next() == "STATUS=a library is missing READY=1")
        }
    }

    @Test(arguments: ["", "/nonexistent", String(repeating: "x", count: 200)])
    func `Without a service manager, no message is sent`(_ socket: String) async {
        await #expect(processExitsWith: .success) { [socket] in
            setenv("NOTIFY_SOCKET", socket, 1)
            ServiceStatus.sendToServiceManager("a library is missing")
        }
    }
}
