import Foundation
import TestSupport
import Testing

@testable import Doctor

struct FileCheckTests {
    private func fact(
        _ path: String, _ expected: FileFact.Kind, _ mode: UInt32, owner: UInt32 = 7,
        kind: FileFact.Kind? = nil
    ) -> FileFact {
        FileFact(
            path: path, group: .state, expected: expected,
            found: .init(kind: kind ?? expected, mode: mode, owner: owner))
    }

    @Test(arguments: [
        (FileFact.Kind.directory, UInt32(0o700), UInt32(7), nil),
        (.file, 0o600, 7, nil),
        (.directory, 0o755, 7, "run: chmod 700 /x"),
        (.file, 0o640, 7, "run: chmod 600 /x"),
        (.file, 0o400, 7, "run: chmod 600 /x"),
        (.socket, 0o666, 7, "run: chmod 600 /x"),
        (.file, 0o600, 8, "run: sudo chown 7 /x"),
    ])
    func `The file check reports access by other users, missing access and files of other owners`(
        kind: FileFact.Kind, mode: UInt32, owner: UInt32, advice: String?
    ) {
        let check = FileFact.makeChecks(for: [fact("/x", kind, mode, owner: owner)], userID: 7)["files"]
        #expect(check?.verdict == (advice == nil ? .ok : .failure))
        #expect(check?.advice == advice)
    }

    @Test func `A file that is not a regular file is reported`() {
        let check = FileFact.makeChecks(for: [fact("/a b/it's", .file, 0o600, kind: .other)], userID: 7)[
            "files"]
        #expect(check?.finding == "/a b/it's is not a file")
        #expect(check?.advice == #"run: mv '/a b/it'\''s' '/a b/it'\''s.aside'"#)
    }

    @Test func `The file check reports no failure for a missing file`() {
        let fact = FileFact(path: "/x", group: .state, expected: .file, found: nil)
        #expect(FileFact.makeChecks(for: [fact], userID: 7).map(\.verdict) == [.skipped, .skipped, .skipped])
    }

    @Test func `The file check reads the modes and types of real files`() throws {
        let directory = try TemporaryDirectory()
        let state = directory.file("cutied")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        #expect(chmod(state, 0o750) == 0)
        #expect(FileManager.default.createFile(atPath: state + "/cutied.db", contents: nil))
        #expect(chmod(state + "/cutied.db", 0o644) == 0)
        #expect(symlink("/etc/hostname", state + "/secrets") == 0)
        let facts = DoctorFacts(reading: ["XDG_STATE_HOME": directory.path, "CUTIED_SOCKET": state + "/none"])
        let check = try #require(FileFact.makeChecks(for: facts.files, userID: facts.user)["files"])
        #expect(check.finding.contains("\(state) (mode 750 instead of 700)"))
        #expect(check.finding.contains("cutied.db (mode 644 instead of 600)"))
        #expect(check.finding.contains("secrets is not a file"))
    }
}
