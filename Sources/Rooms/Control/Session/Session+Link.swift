import ArgumentParser
import ControlAPI
import Platform
import QR
import Threads

extension Session {
    /// Offers a link, shows its token in every way there is, and waits for its end. Throws 1 where it is not
    /// confirmed.
    func startLink(_ call: StartLink, png file: String?) async throws {
        var end: LinkView?
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await daemon.follow(call) { answer in
                guard answer.reply.isPending else {
                    end = answer.reply
                    group.cancelAll()
                    try? await group.waitForAll()
                    try print(answer)
                    return .enough
                }
                try present(answer, png: file)
                if let progress, !json, let limit = answer.reply.expiresAt {
                    group.addTask { try await countDown(to: limit, on: progress) }
                }
                return .goOn
            }
        }
        guard let end else { throw DaemonGone(path: daemon.path) }
        if !end.isConfirmed { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    private func present(_ answer: Answer<LinkView>, png file: String?) throws {
        let code: QRCode
        do { code = try QRCode(answer.reply.linkToken) } catch {
            throw Complaint(
                .failed, error.description,
                advice: "confirm the token by hand: "
                    + answer.reply.linkToken)
        }
        if let file {
            do { try SmallFile.replace(file, with: code.png) } catch {
                throw Complaint(.failed, "the PNG cannot be written: \(error)", advice: "name another file")
            }
        }
        if json { return try output.write(answer.json + "\n") }
        let page = page()
        try output.write(
            code.terminalText(coloured: page.colour) + "\n" + answer.reply.text(on: page)
                + "Scan the code with the other device, or type there:\n"
                + "  cutied ctl link confirm \(PlainText.line(answer.reply.linkToken))\n")
    }

    /// One line, drawn again each second, and taken away when the wait is over.
    private func countDown(to end: Int64, on progress: Output) async throws {
        defer { try? progress.write("\r\u{1B}[K") }
        while true {
            let left = max(0, (end - page().now) / 1000)
            let seconds = left % 60
            try progress.write("\rwaiting, \(left / 60):\(seconds < 10 ? "0" : "")\(seconds) left \u{1B}[K")
            try await EventLoop.shared.sleep(for: .seconds(1))
        }
    }
}
