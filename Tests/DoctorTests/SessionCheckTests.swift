import Desktop
import Foundation
import NotificationPolicy
import TestSupport
import Testing

@testable import Doctor

struct SessionCheckTests {
    @Test(arguments: [
        (SessionFacts.Bus.noAddress, Check.Verdict.failure),
        (.silent(address: "unix:path=/x", reason: "refused"), .failure),
        (.answers(address: "unix:path=/x"), .ok),
        (.unverifiable(address: "tcp:host=h"), .ok),
    ])
    func `The result of the session bus check depends on the state of the bus`(
        bus: SessionFacts.Bus, verdict: Check.Verdict
    ) {
        #expect(SessionFacts(bus: bus, server: .notQueried).checks["session bus"]?.verdict == verdict)
    }

    @Test(arguments: [
        (SessionFacts.Server.missing, Check.Verdict.failure, "no program"),
        (.exits("status 3"), .failure, "exits when it is started (status 3)"),
        (.noLibrary, .warning, "libnotify is not installed"),
        (.hangs(seconds: 5), .failure, "within 5 s"),
        (.notQueried, .skipped, "no session bus"),
        (.answers(.sample(["actions", "body", "sound"])), .ok, "dunst 1.9 with actions, body, sound"),
        (.answers(.sample(["body"])), .warning, "lacks actions: notifications have no buttons"),
        (.answers(.sample(["actions"])), .warning, "lacks body: messages are shown without text"),
    ])
    func `The result of the notification server check depends on the capabilities of the server`(
        server: SessionFacts.Server, verdict: Check.Verdict, finding: String
    ) {
        let check = SessionFacts(bus: .noAddress, server: server).checks["notification server"]
        #expect(check?.verdict == verdict)
        #expect(check?.finding.contains(finding) == true)
    }

    @Test(arguments: [
        ("unix:path=/run/user/1000/bus", "/run/user/1000/bus"),
        ("unix:abstract=/tmp/dbus-x,guid=12", "\0/tmp/dbus-x"),
        ("tcp:host=a,port=1;unix:guid=1,path=/a%20b", "/a b"),
        ("unix:path=/a%2", nil), ("unix:", nil), ("autolaunch:", nil), ("", nil), ("unix:path", nil),
    ])
    func `The address of a session bus is parsed`(text: String, socket: String?) {
        #expect(BusAddress(text).socket == socket)
    }

    @Test func `The session bus check distinguishes a working bus from a bus that does not respond`()
        async throws
    {
        let bus = try await PrivateBus()
        #expect(SessionFacts.probeBus(in: bus.environment) == .answers(address: bus.address))
        try await bus.killProcess()
        guard case .silent = SessionFacts.probeBus(in: bus.environment) else {
            Issue.record("it seems to live")
            return
        }
    }

    @Test func `Without a bus address in the environment, only a socket in the runtime directory is used`()
        throws
    {
        let directory = try TemporaryDirectory()
        #expect(SessionFacts.probeBus(in: [:]) == .noAddress)
        #expect(SessionFacts.probeBus(in: ["XDG_RUNTIME_DIR": directory.path]) == .noAddress)
        #expect(
            SessionFacts.probeBus(in: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/"]) == .noAddress)
    }
}
