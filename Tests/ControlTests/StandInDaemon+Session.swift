import ArgumentParser
import CommandWords
import ControlClient
import Foundation
import Synchronization
import TestSupport

@testable import Control

extension StandInDaemon {
    /// Returns a `ctl` session that is connected to this daemon, and its output.
    func session(json: Bool = false, input: String = "", timeout: Duration = .zero) -> (
        Session, CapturedOutput
    ) {
        let printed = CapturedOutput()
        let session = Session(
            daemon: DaemonClient(path: socket, timeout: timeout), output: Output(write: printed.append),
            json: json, format: { .plain }, standardInput: { Array(input.utf8.prefix($0)) })
        return (session, printed)
    }
}

/// A buffer that receives the output of a session.
final class CapturedOutput: Sendable {
    private let content = Mutex("")
    var text: String { content.withLock { $0 } }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    @Sendable func append(_ text: String) throws { content.withLock { $0 += text } }
}

/// Runs a `ctl` command within the test process.
func ctl(_ arguments: String..., in session: Session) async throws {
    try await ctl(arguments, in: session)
}

func ctl(_ arguments: [String], in session: Session) async throws {
    let words = try ArgumentNormalizer.normalize(arguments, forRootCommand: CtlCommand.self)
    guard let verb = try CtlCommand.parseAsRoot(words) as? any Verb else {
        throw CommandError(.usage, "no verb")
    }
    try await verb.run(in: session)
}

/// Encodes `call` with sorted keys, so that the JSON of two calls can be compared.
func json(_ call: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(call), as: UTF8.self)
}
