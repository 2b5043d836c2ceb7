import ControlAPI
import Foundation
import TestSupport
import Varlink
import VarlinkSocket

/// The control socket with answers that a test chooses, for the real program to talk to.
struct StandInDaemon {
    let directory: TemporaryDirectory
    var socket: String { directory.file("control.sock") }

    init() throws { directory = try TemporaryDirectory() }

    /// Serves `answers` while `body` runs.
    func running(
        _ answers: (consuming Implementation) -> Implementation, while body: () async throws -> Void
    ) async throws {
        let interface = try Interface(parsing: ControlInterface.description)
        let server = try Server(
            listener: ListeningSocket(bindingTo: socket),
            information: .init(vendor: "test", product: "test", version: "0", url: ""),
            implementations: [answers(Implementation(interface: interface))],
            fault: { Failed(reason: "\($0)") })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Runs the real `cutied` against it.
    func cutied(_ arguments: String..., adding: [String: String] = [:]) async throws -> SpawnedProgram {
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": directory.path, "LANG": "C.UTF-8", "CUTIED_SOCKET": socket,
            "XDG_CONFIG_HOME": directory.file("config"), "XDG_CONFIG_DIRS": directory.file("etc"),
            "XDG_STATE_HOME": directory.file("state"), "XDG_RUNTIME_DIR": directory.path,
        ]
        let program = try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), arguments, environment: environment.merging(adding) { $1 })
        try await program.exit()
        return program
    }

    /// An executable script, in a directory for PATH.
    func install(_ name: String, _ script: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("bin"), withIntermediateDirectories: true)
        let file = directory.file("bin/" + name)
        try "#!/bin/sh\n\(script)\n".write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }

    func text(_ name: String) -> String {
        (try? String(contentsOfFile: directory.file(name), encoding: .utf8)) ?? ""
    }
}
