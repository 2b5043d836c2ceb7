import Foundation
import TestSupport
import Testing

@testable import Systemd

/// Tests that run in separate processes, each with its own environment variables, which libsystemd reads.
struct ServiceManagerTests {
    @Test func `The daemon reports its status to systemd`() async {
        await #expect(processExitsWith: .success) {
            let received = try UnixSocket(SOCK_DGRAM)
            setenv("NOTIFY_SOCKET", received.path, 1)
            let manager = ServiceManager()
            manager.notifyReady(status: "connected\nREADY=0\u{1B}")
            #expect(try received.next() == "READY=1\nSTATUS=connected READY=0 ")
            manager.setStatus("3 unread")
            #expect(try received.next() == "STATUS=3 unread")
            manager.notifyReloading()
            #expect(try received.next().wholeMatch(of: #/RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*/#) != nil)
            manager.pingWatchdog()
            #expect(try received.next() == "WATCHDOG=1")
            manager.notifyStopping()
            #expect(try received.next() == "STOPPING=1")
        }
    }

    @Test func `A service manager that does not read its socket does not block the daemon`() async {
        await #expect(processExitsWith: .success) {
            let received = try UnixSocket(SOCK_DGRAM)
            setenv("NOTIFY_SOCKET", received.path, 1)
            for number in 0..<2000 { ServiceManager().setStatus("\(number) unread") }
            ServiceManager().pingWatchdog()
            #expect(try received.next() == "STATUS=0 unread")
        }
    }

    @Test func `Reporting to the service manager has no effect if systemd is not running`() async {
        await #expect(processExitsWith: .success) {
            for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID"] { unsetenv(name) }
            ServiceManager().notifyReady(status: "")
            #expect(ServiceManager().watchdogLimit == nil)
            let socket = try ActivationSocket.adopt(named: "varlink")
            if socket != nil { Issue.record("a socket from nowhere") }
        }
    }

    @Test func `The watchdog interval is read from an environment variable`() async {
        await #expect(processExitsWith: .success) {
            setenv("WATCHDOG_USEC", "120000000", 1)
            setenv("WATCHDOG_PID", "\(getpid())", 1)
            #expect(ServiceManager().watchdogLimit == .seconds(120))
        }
    }

    @Test func `An activation socket is found by its name`() async {
        await #expect(processExitsWith: .success) {
            let listener = try UnixSocket(SOCK_STREAM, listening: true)
            listener.offerAsActivation(named: "varlink")
            guard let socket = try ActivationSocket.adopt(named: "varlink") else {
                Issue.record("no socket")
                return
            }
            let taken = socket.release()
            #expect(taken == listener.number)
            #expect(fcntl(taken, F_GETFD) == FD_CLOEXEC)
        }
    }

    @Test func `The path of an activation socket is known even after the socket file was removed`() async {
        await #expect(processExitsWith: .success) {
            let listener = try UnixSocket(SOCK_STREAM, listening: true)
            listener.offerAsActivation(named: "varlink")
            guard let socket = try ActivationSocket.adopt(named: "varlink") else {
                Issue.record("no socket")
                return
            }
            #expect(socket.lostPath == nil)
            unlink(listener.path)
            #expect(socket.lostPath == listener.path)
        }
    }
}
