import Foundation
import TestSupport

extension StandInDaemon {
    /// Runs the real program `cutied`, which connects to this stand-in daemon.
    func cutied(_ arguments: String..., adding: [String: String] = [:]) async throws -> SpawnedProgram {
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": directory.path, "LANG": "C.UTF-8", "CUTIED_SOCKET": socket,
            "XDG_CONFIG_HOME": directory.file("config"), "XDG_CONFIG_DIRS": directory.file("etc"),
            "XDG_STATE_HOME": directory.file("state"), "XDG_RUNTIME_DIR": directory.path,
        ]
        let program = try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), arguments, environment: environment.merging(adding) { $1 })
        try await program.waitForExit()
        return program
    }

    /// Installs `script` as the executable `name` in a directory of PATH.
    func install(_ name: String, _ script: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("bin"), withIntermediateDirectories: true)
        try installScript("#!/bin/sh\n\(script)\n", at: directory.file("bin/" + name))
    }

    func text(_ name: String) -> String {
        (try? String(contentsOfFile: directory.file(name), encoding: .utf8)) ?? ""
    }
}
