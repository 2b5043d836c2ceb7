import ArgumentParser
import ControlAPI
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

struct LinkTests {
    private let daemon: StandInDaemon
    private let offer = LinkView(linkToken: "cutie_lt_1", expiresAt: noon + 5 * minute, status: "pending")

    init() throws { daemon = try StandInDaemon() }

    @Test func `The command ctl link start shows a code and a token, and then the name of the linked device`()
        async throws
    {
        let (session, printed) = daemon.session()
        try await daemon.running(offering("confirmed")) { try await ctl("link", "start", in: session) }
        #expect(printed.text.contains("▄▄▄▄▄"))
        #expect(printed.text.contains("\nlink token cutie_lt_1, valid until 14:05:00\n"))
        #expect(printed.lines.last == "linked with phone")
    }

    @Test func `The command ctl link start exits with 1 if no device confirms the link`() async throws {
        let (session, printed) = daemon.session(json: true)
        try await daemon.running(offering("expired")) {
            await #expect(throws: ExitCode(1)) { try await ctl("link", "start", in: session) }
        }
        #expect(printed.lines.count == 2)
        #expect(printed.lines.allSatisfy { $0.hasPrefix("{") })
    }

    @Test
    func `The remaining time of a link is shown only on a terminal and is erased after the confirmation`()
        async throws
    {
        let (quiet, printed) = daemon.session()
        var session = quiet
        let drawn = CapturedOutput()
        session.progress = Output(write: drawn.append)
        try await daemon.running(offering("confirmed")) { [session] in
            try await ctl("link", "start", in: session)
        }
        #expect(drawn.text == "" || drawn.text.hasPrefix("\rwaiting, 5:00 left \u{1B}[K"))
        #expect(drawn.text == "" || drawn.text.hasSuffix("\r\u{1B}[K"))
        #expect(!printed.text.contains("waiting"))
    }

    @Test
    func `An image file that cannot be written is reported before the program waits for the other device`()
        async throws
    {
        let (session, printed) = daemon.session()
        try await daemon.running(offering("confirmed")) {
            let complaint = await #expect(throws: CommandError.self) {
                try await ctl("link", "start", "--png", "/nowhere/at/all.png", in: session)
            }
            #expect(complaint?.status == .failed)
        }
        #expect(printed.text == "")
    }

    @Test
    func `Linked devices are listed in a table, and a device without links is reported as "not linked"`() {
        let devices = LinkedDevices.Reply(devices: [
            DeviceView(
                account: "default", deviceId: "device_1", joinedAt: noon, primary: true, current: true),
            DeviceView(
                account: "default", deviceId: "device_2", deviceName: "phone", joinedAt: nil, primary: false,
                current: false),
        ])
        #expect(
            devices.text(in: .plain) == """
                DEVICE    SINCE     NAME
                device_1  just now  (this device, primary)
                device_2            phone

                """)
        #expect(LinkedDevices.Reply(devices: []).text(in: .plain).hasPrefix("not linked"))
    }

    private func offering(_ end: String) -> (consuming Implementation) -> Implementation {
        { [offer] in
            $0.onStream(StartLink.self) { _, replies in
                try await replies.send(offer)
                try await replies.send(
                    LinkView(linkToken: "cutie_lt_1", status: end, deviceName: "phone"), continues: false)
            }
        }
    }
}
