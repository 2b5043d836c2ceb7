import Foundation
import TestSupport
import Testing

@Suite struct `A control socket that somebody deletes` {
    @Test func `Comes back, with its directory, and who watches is not disturbed`() async throws {
        try await Household.with { home in
            let conversation = try await home.daemon.converse("Question")
            let watcher = try home.daemon.begin(["watch", "--json"])
            try await eventually("a snapshot") { watcher.lines.count == 1 }
            let socket = home.daemon.socketFile
            let directory = (socket as NSString).deletingLastPathComponent
            for victim in [socket, directory, socket] {
                // What is in the directory may come back while the directory goes.
                try await eventually("\(victim) is gone") {
                    (try? FileManager.default.removeItem(atPath: victim)) != nil
                }
                try await eventually("\(victim) is back") {
                    try await home.daemon.ctl("status", "--no-wait").code == 0
                }
                let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            try FileManager.default.moveItem(atPath: socket, toPath: socket + ".old")
            try await eventually("it is back") { try await home.daemon.ctl("status", "--no-wait").code == 0 }
            try await home.sandbox.reply("Still there?", in: conversation)
            try await eventually("the watcher is told") { watcher.standardOutput.contains("message.created") }
            #expect(try await home.daemon.stop() == 0)
            #expect(!FileManager.default.fileExists(atPath: socket))
        }
    }

    @Test func `Another file in its place is left alone, until it goes`() async throws {
        try await Household.with { home in
            let socket = home.daemon.socketFile
            try "mine".write(toFile: socket, atomically: true, encoding: .utf8)
            try await eventually("it is told") { home.daemon.journal.contains("cannot be made again") }
            #expect(try String(contentsOfFile: socket, encoding: .utf8) == "mine")
            try FileManager.default.removeItem(atPath: socket)
            try await eventually("it is back") { try await home.daemon.ctl("status", "--no-wait").code == 0 }
        }
    }
}
