import ArgumentParser

/// A verb of `ctl`: arguments in, calls and output through a session.
protocol Verb: AsyncParsableCommand {
    var talk: TalkOptions { get }

    func run(in session: Session) async throws
}

extension Verb {
    func run() async throws {
        try await run(in: try .ofThisProcess(talk))
    }
}
