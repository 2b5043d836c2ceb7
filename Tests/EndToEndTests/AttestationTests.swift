import Foundation
import TestSupport
import Testing

@Suite struct `Device attestation` {
    @Test func `The daemon attests its key, signs changes, and continues to sign after a crash`() async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "attestation: software" }) { fixture in
            let first = try await fixture.daemon.attested()
            #expect(first.environment == "software" && first.isSupported && first.reason == nil)
            let conversation = try await fixture.daemon.startConversation("Signed")
            #expect(try await fixture.daemon.ctl("reply", conversation, "Signed, too").code == 0)
            let id = try await fixture.daemon.fetchStatus().accounts[0].deviceId
            let known = try #require(try await fixture.sandbox.fetchDevice(id).attestation)
            #expect(known.key_id == first.keyId && known.sign_count == 2)
            #expect(try await fixture.daemon.attestation().counter == 2)
            try await fixture.daemon.killProcess()
            try await fixture.daemon.start()
            #expect(try await fixture.daemon.ctl("reply", conversation, "After the crash").code == 0)
            let after = try await fixture.daemon.attested()
            #expect(after.keyId == first.keyId)
            #expect(after.counter ?? 0 > 2)
            // The server's counter may temporarily be lower, because the daemon stores the counter before it
            // sends the request.
            try await eventually("the server's counter is the daemon's") {
                let counter = try await fixture.daemon.attestation().counter
                return try await fixture.sandbox.fetchDevice(id).attestation?.sign_count == counter
            }
        }
    }

    @Test
    func `After a restart, the daemon proves possession of its key even if no request has to be signed`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "attestation: software" }) { fixture in
            let first = try await fixture.daemon.attested()
            let id = try await fixture.daemon.fetchStatus().accounts[0].deviceId
            #expect(try await fixture.sandbox.fetchDevice(id).attestation?.sign_count == 0)
            try await fixture.daemon.restart()
            try await eventually("the unrequested assertion") {
                try await fixture.sandbox.fetchDevice(id).attestation?.sign_count ?? 0 > 0
            }
            #expect(try await fixture.daemon.attested().keyId == first.keyId)
        }
    }

    @Test func `A key that the server has lost is replaced, and no message is lost`() async throws {
        try await EndToEndFixture.with({ $0.configuration = "attestation: auto" }) { fixture in
            let first = try await fixture.daemon.attested()
            let conversation = try await fixture.daemon.startConversation("Forgotten", "Zero")
            let id = try await fixture.daemon.fetchStatus().accounts[0].deviceId
            try await fixture.sandbox.forgetAttestation(of: id)
            #expect(try await fixture.daemon.ctl("reply", conversation, "One").code == 0)
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "One"])
            let second = try await fixture.daemon.attested()
            #expect(second.keyId != first.keyId)
            #expect(try await fixture.sandbox.fetchDevice(id).attestation?.key_id == second.keyId)
        }
    }

    @Test
    func
        `After a reset, a device attests again only with ctl attest renew, and ctl attest off removes the attestation`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "attestation: software" }) { fixture in
            _ = try await fixture.daemon.attested()
            let id = try await fixture.daemon.fetchStatus().accounts[0].deviceId
            #expect(try await fixture.daemon.ctl("attest", "reset").code == 0)
            #expect(try await fixture.sandbox.fetchDevice(id).attestation == nil)
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            let conversation = try await fixture.daemon.startConversation("Unsigned")
            let state = try await fixture.daemon.attestation()
            #expect(!state.isAttested && state.reason?.contains("renew") == true)
            #expect(try await fixture.daemon.ctl("attest", "renew").code == 0)
            #expect(try await fixture.sandbox.fetchDevice(id).attestation != nil)
            try fixture.configure("attestation: \"off\"")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            #expect(try await fixture.daemon.ctl("reply", conversation, "Unsigned again").code == 0)
            try await eventually("the key is removed from the server") {
                try await fixture.sandbox.fetchDevice(id).attestation == nil
            }
            #expect(try await fixture.daemon.ctl("attest", "renew").code == 78)
        }
    }

    @Test
    func `If the server does not support attestation, the daemon runs without it and reports the reason`()
        async throws
    {
        try await EndToEndFixture.with({
            $0.without = ["attestation"]
            $0.configuration = "attestation: software"
        }) { fixture in
            try await eventually("a reason") {
                try await fixture.daemon.attestation().reason?.contains("has not been attested") == false
            }
            #expect(try await !fixture.daemon.attestation().isAttested)
            #expect(try await fixture.daemon.startConversation("Unsigned").hasPrefix("conv_"))
            let status = try await fixture.daemon.ctl("attest")
            #expect(status.code == 0 && status.output.contains("attested"))
            #expect(try await fixture.daemon.ctl("attest", "renew").code == 1)
        }
    }

    @Test func `If a required TPM is missing, the daemon runs without attestation and reports the reason`()
        async throws
    {
        try await EndToEndFixture.with({
            $0.configuration = "attestation: tpm2"
            $0.environment = ["CUTIED_TPM2_TCTI": "swtpm:path=/nonexistent/tpm"]
        }) { fixture in
            try await eventually("a reason") {
                try await fixture.daemon.attestation().reason?.contains("TPM") == true
            }
            let state = try await fixture.daemon.attestation()
            #expect(!state.isSupported && !state.isAttested)
            #expect(try await fixture.daemon.startConversation("Unsigned").hasPrefix("conv_"))
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm")))
    func `The attestation key is stored in the TPM if the machine has one`() async throws {
        let directory = try TemporaryDirectory()
        let socket = directory.file("tpm")
        let tpm = try ChildProcess(
            "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=" + directory.path, "--flags",
                "not-need-init,startup-clear", "--server", "type=unixio,path=" + socket, "--ctrl",
                "type=unixio,path=" + socket + ".ctrl",
            ])
        try await eventually("a TPM") { FileManager.default.fileExists(atPath: socket) }
        try await EndToEndFixture.with({
            $0.configuration = "attestation: auto"
            $0.environment = ["CUTIED_TPM2_TCTI": "swtpm:path=" + socket]
        }) { fixture in
            #expect(try await fixture.daemon.attested().environment == "tpm2")
            #expect(try await fixture.daemon.startConversation("Signed by the TPM").hasPrefix("conv_"))
            let id = try await fixture.daemon.fetchStatus().accounts[0].deviceId
            let known = try await fixture.sandbox.fetchDevice(id).attestation
            #expect(known?.environment == "tpm2" && known?.sign_count == 1)
        }
        withExtendedLifetime(tpm) {}
    }
}

extension DaemonFixture {
    fileprivate struct State: Decodable, Sendable {
        let isSupported: Bool
        let isAttested: Bool
        let environment: String?
        let keyId: String?
        let counter: Int?
        let reason: String?
    }

    fileprivate func attestation() async throws -> State { try await control.call("GetAttestation") }

    fileprivate func attested() async throws -> State {
        try await eventually("an attested device") { try await attestation().isAttested }
        return try await attestation()
    }
}
