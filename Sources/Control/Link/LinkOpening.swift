import ArgumentParser
import ControlAPI
import CutieAPI
import Glibc

/// `cutied open`: shows what a link is about, where the person can see it.
public struct LinkOpening: Sendable {
    private let link: DeepLink
    /// The link as it was given, which is ours to the last byte.
    private let text: String

    /// Throws the `Complaint` that a link which is not ours deserves.
    public init(_ text: String) throws {
        do { link = try DeepLink(text) } catch {
            throw Complaint(
                .badData, "this link \(error); nothing was opened",
                advice: "links of cutied look like cutie://conversation/ID")
        }
        self.text = text
    }

    /// Shows the thread: in the terminal, else in a window. `holding`: waits for Enter after it, in a
    /// terminal window that would close with the program. Marks nothing read.
    public func run(environment: [String: String], holding: Bool) async throws {
        let session = try Session.ofThisProcess(try .parse([]))
        let thread = try await thread(from: session.daemon)
        if !holding, isatty(STDOUT_FILENO) == 0 {
            let window = LinkWindow(environment: environment, program: Self.ownProgram)
            if await window.show(text, thread: { thread.text(on: .forWindows(like: session.page())) }) {
                return
            }
        }
        try session.output.write(thread.text(on: session.page()))
        if holding {
            try session.output.write("\nPress Enter to close.")
            _ = readLine()
        }
    }

    private func thread(from daemon: DaemonClient) async throws -> GetConversation.Reply {
        switch link {
        case .conversation(let id, let account, _):
            try await daemon.call(GetConversation(conversation: id.rawValue, limit: nil, account: account))
                .reply
        }
    }

    /// As this process was started, also where it is not in PATH.
    private static var ownProgram: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return "cutied" }
        return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Page {
    fileprivate static func forWindows(like page: Page) -> Page {
        var page = page
        page.colour = false
        return page
    }
}
