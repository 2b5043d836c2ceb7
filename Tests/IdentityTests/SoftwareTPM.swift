import Foundation
import TestSupport

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
        try await eventually("sockets of swtpm (\(process.standardError))") {
            FileManager.default.fileExists(atPath: socket)
                && FileManager.default.fileExists(atPath: socket + ".ctrl")
        }
    }

    /// Turned off; the state stays.
    func stop() async throws {
        process.signal(SIGKILL)
        try await process.exit()
        for name in ["tpm", "tpm.ctrl"] { try? FileManager.default.removeItem(atPath: directory.file(name)) }
    }
}
