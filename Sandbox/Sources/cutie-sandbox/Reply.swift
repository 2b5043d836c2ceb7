import ArgumentParser
import Foundation
import Sandbox

/// The `reply` subcommand.
struct Reply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reply to a conversation as support, with the admin API.",
        discussion: """
            Without --client-id and --client-secret the credentials come from CUTIE_CLIENT_ID and \
            CUTIE_CLIENT_SECRET, or else from the file that `cutie-sandbox serve` wrote. Prints the id of \
            the new message. Exit codes: 0 sent, 1 refused, 64 usage, 66 no such conversation, \
            69 server not reachable, 77 wrong credentials.
            """)

    @OptionGroup var access: AdminAccess

    @Flag(help: "Add an internal note, which only admins see.")
    var `internal` = false

    @Argument(help: "Id of the conversation.")
    var conversation: String

    @Argument(help: "The text; - reads it from standard input.")
    var message: String

    func run() async throws {
        try await CommandErrors.reportingErrors {
            print(try await access.makeClient().reply(try readText(), to: conversation, isNote: `internal`))
        }
    }

    private func readText() throws -> String {
        guard message == "-" else { return message }
        let data = try FileHandle.standardInput.read(upToCount: 1 << 20) ?? Data()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}

/// The error handling of the commands, which prints one sentence to standard error and exits with a code from
/// `sysexits.h`.
enum CommandErrors {
    static func reportingErrors(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as SandboxError {
            warn(error.description)
            throw ExitCode(error.code.exitCode)
        }
    }

    static func warn(_ message: String) {
        FileHandle.standardError.write(Data("cutie-sandbox: \(message)\n".utf8))
    }
}

extension SandboxError.Code {
    fileprivate var exitCode: Int32 {
        switch self {
        case .addressInUse, .cannotListen, .badDatabase, .badCertificate, .badFile, .refused: 1
        case .badURL: 64
        case .notFound: 66
        case .unreachable: 69
        case .noCredentials, .notAuthorized: 77
        }
    }
}
