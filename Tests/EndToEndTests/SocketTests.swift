import Foundation
import TestSupport
import Testing

@Suite struct `A deleted control socket` {
    @Test func `A deleted socket and its directory are created again, and existing watchers stay connected`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Question")
            let watcher = try fixture.daemon.startVerb(["watch", "--json"])
            try await eventually("a snapshot") { watcher.lines.count == 1 }
            let socket = fixture.daemon.socketFile
            let directory = (socket as NSString).deletingLastPathComponent
            for victim in [socket, directory, socket] {
                // Removing the directory is retried, because the daemon may create a file in it at the same
                // time.
                try await eventually("\(victim) is gone") {
                    (try? FileManager.default.removeItem(atPath: victim)) != nil
                }
                try await eventually("\(victim) is back") {
                    try await fixture.daemon.ctl("status", "--no-wait").code == 0
                }
                let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            try FileManager.default.moveItem(atPath: socket, toPath: socket + ".old")
            try await eventually("the socket is back") {
                try await fixture.daemon.ctl("status", "--no-wait").code == 0
            }
            try await fixture.sandbox.reply("Still there?", in: conversation)
            try await eventually("the watcher gets the reply") {
                watcher.standardOutput.contains("message.created")
            }
            #expect(try await fixture.daemon.stop() == 0)
            #expect(!FileManager.default.fileExists(atPath: socket))
        }
    }

    /// The test sets the inotify limit in a user namespace, so that other programs are not affected.
    @Test(.enabled(if: Namespace.users.isPossible, "user namespaces cannot be made here (unshare -U)"))
    func `If no inotify instance is available, the problem is logged once, and "doctor" reports it`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let limit = "echo 0 >/proc/sys/user/max_inotify_instances && exec \"$0\" \"$@\""
            let without = ["/usr/bin/unshare", "-Ur", "/bin/sh", "-c", limit]
            try await fixture.daemon.start(under: without)
            try await fixture.daemon.waitUntilConnected()
            let socket = fixture.daemon.socketFile
            try await eventually("all three watches failed") {
                fixture.daemon.journal.components(separatedBy: "Too many open files").count == 4
            }
            let journal = fixture.daemon.journal
            #expect(journal.contains("inotify_init1"))
            #expect(journal.components(separatedBy: "the socket cannot be watched").count == 3)
            #expect(!journal.contains("was removed"))
            let doctor = try SpawnedProgram(
                without[0], Array(without.dropFirst()) + [BuiltProduct.path(of: "cutied"), "doctor"],
                environment: fixture.daemon.environment)
            try await doctor.waitForExit()
            #expect(doctor.standardOutput.contains("files cannot be watched (inotify_init1"))

            try FileManager.default.removeItem(atPath: socket)
            try await eventually("the socket is back", within: .seconds(90)) {
                try await fixture.daemon.ctl("status", "--no-wait").code == 0
            }
            #expect(fixture.daemon.journal.components(separatedBy: "the socket cannot be watched").count == 3)
        }
    }

    @Test
    func
        `A file at the path of the socket is not replaced; after the file is removed, the socket returns`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let socket = fixture.daemon.socketFile
            try "mine".write(toFile: socket, atomically: true, encoding: .utf8)
            try await eventually("the error is logged") {
                fixture.daemon.journal.contains("cannot be created again")
            }
            #expect(try String(contentsOfFile: socket, encoding: .utf8) == "mine")
            try FileManager.default.removeItem(atPath: socket)
            try await eventually("the socket is back") {
                try await fixture.daemon.ctl("status", "--no-wait").code == 0
            }
        }
    }
}
