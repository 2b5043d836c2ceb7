import ArgumentParser
import ControlAPI
import Foundation
import Synchronization
import TestSupport
import Varlink
import VarlinkSocket

@testable import Control

/// The control interface on a real socket, with answers that a test chooses.
final class FakeDaemon: Sendable {
    let directory: TemporaryDirectory
    var path: String { directory.file("control.sock") }

    init() throws { directory = try TemporaryDirectory() }

    /// Serves `answers` while `body` runs.
    func running(
        _ answers: (consuming Implementation) -> Implementation, while body: () async throws -> Void
    ) async throws {
        let interface = try Interface(parsing: ControlInterface.description)
        let server = try Server(
            listener: ListeningSocket(bindingTo: path),
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

    func session(json: Bool = false, input: String = "", patience: Duration = .zero) -> (Session, Printed) {
        let printed = Printed()
        let session = Session(
            daemon: DaemonClient(path: path, patience: patience), output: Output(write: printed.append),
            json: json, page: { .plain }, standardInput: { Array(input.utf8.prefix($0)) })
        return (session, printed)
    }
}

/// What a verb printed.
final class Printed: Sendable {
    private let content = Mutex("")
    var text: String { content.withLock { $0 } }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    @Sendable func append(_ text: String) throws { content.withLock { $0 += text } }
}

/// A value that the tasks of a test share.
final class Shared<Value: Sendable>: Sendable {
    private let content: Mutex<Value>
    init(_ value: Value) { content = Mutex(value) }

    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

/// Runs `ctl` with `arguments` in `session`.
func ctl(_ arguments: String..., in session: Session) async throws {
    try await ctl(arguments, in: session)
}

func ctl(_ arguments: [String], in session: Session) async throws {
    guard let verb = try CtlCommand.parseAsRoot(arguments) as? any Verb else {
        throw Complaint(.usage, "no verb")
    }
    try await verb.run(in: session)
}
