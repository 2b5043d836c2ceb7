import Foundation
import TestSupport

@testable import Identity

/// A swtpm of its own, with sockets in a directory that goes with it.
final class SoftwareTPM: Sendable {
    private let directory: TemporaryDirectory
    private let process: ChildProcess
    /// For `TPM` and `AttestationKeys`.
    var environment: [String: String] { ["CUTIED_TPM2_TCTI": "swtpm:path=" + directory.file("tpm")] }

    /// One with the state of `other` is the same TPM.
    init(continuing other: SoftwareTPM? = nil) async throws {
        directory = try other?.directory ?? TemporaryDirectory()
        let socket = directory.file("tpm")
        process = try ChildProcess(
            "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=" + directory.path, "--flags",
                "not-need-init,startup-clear",
                "--server", "type=unixio,path=" + socket, "--ctrl", "type=unixio,path=" + socket + ".ctrl",
            ])
        // The sockets are there a moment before anybody listens.
        let probe = try TPM(environment: environment)
        try await eventually("answer of swtpm (\(process.standardError))") {
            (try? await probe.publicKey(Array(repeating: 0, count: 32))) != nil
        }
    }

    /// Turned off; the state stays.
    func stop() async throws {
        process.signal(SIGKILL)
        try await process.exit()
        for name in ["tpm", "tpm.ctrl"] { try? FileManager.default.removeItem(atPath: directory.file(name)) }
    }
}
