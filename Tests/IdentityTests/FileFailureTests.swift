import Foundation
import Reasons
import TestSupport
import Testing

@testable import Identity

@Suite struct `Error messages about the secrets file` {
    private let state: StateDirectory

    init() throws { state = try StateDirectory() }

    @Test func `A secrets file that is a symbolic link or not a regular file is rejected`() async throws {
        let obstacles: [(String, (String) -> Int32)] = [
            ("it is a symbolic link", { symlink("/dev/null", $0) }),
            ("it is not a regular file", { mkdir($0, 0o700) }),
        ]
        for (cause, obstacle) in obstacles {
            #expect(obstacle(state.path) == 0)
            let refused = await failure { () throws(SecretFailure) in _ = try state.file.read() }
            #expect(
                refused?.description
                    == "\(state.path) cannot be read (\(cause)); "
                    + "correct this, because the file contains secrets")
            #expect(refused?.code == .unreadable)
            #expect(remove(state.path) == 0)
        }
    }

    @Test func `A missing secrets directory is reported`() async {
        let file = SecretFile(directory: state.path, credential: nil)
        #expect(await failure { () throws(SecretFailure) in _ = try file.read() } == nil)
        let refused = await failure { () throws(SecretFailure) in try file.write(SecretEntries()) }
        #expect(refused?.description == sentence(file, "No such file or directory"))
        #expect(refused?.code == .unwritable)
    }

    @Test func `A secrets file that cannot be created is reported`() async {
        #expect(mkdir(state.path + ".new", 0o700) == 0)
        let refused = await failure { () throws(SecretFailure) in try state.file.write(SecretEntries()) }
        #expect(refused?.description == sentence(state.file, "File exists"))
    }

    @Test func `The error for a failed write contains errno, and reading a missing file causes no error`()
        throws
    {
        let path = state.directory.file("nowhere/file")
        #expect(try RegularFile.read(path, sizeLimit: 1)?.bytes == nil)
        let refused = #expect(throws: RegularFile.FileFailure.self) {
            try RegularFile.replace(path, with: [1])
        }
        #expect(refused?.code == ENOENT)
        #expect(mkdir(path.replacing("/file", with: ""), 0o700) == 0)
        try RegularFile.replace(path, with: [1, 2, 3])
        #expect(try RegularFile.read(path, sizeLimit: 1)?.bytes == [1, 2])
    }

    private func sentence(_ file: SecretFile, _ cause: String) -> String {
        "\(file.path) cannot be written (\(cause)); check the free space and the file permissions"
    }

    @Test func `A credential that is not a regular file is reported`() async throws {
        let environment = ["CREDENTIALS_DIRECTORY": state.directory.path]
        #expect(try SealingCredential(environment: environment) == nil)
        let path = state.directory.file("cutied")
        #expect(mkdir(path, 0o700) == 0)
        let refused = await failure { () throws(SecretFailure) in
            _ = try SealingCredential(environment: environment)
        }
        let cause = "it is not a regular file"
        #expect(
            refused?.description == "the credential \(path) cannot be read (\(cause)); check the systemd unit"
        )
    }
}
