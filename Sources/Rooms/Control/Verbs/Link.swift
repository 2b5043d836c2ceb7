import ArgumentParser
import ControlAPI
import ControlClient
import Platform
import QR
import Threads

struct LinkVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Share one inbox with your other devices.",
        discussion: """
            One device offers a link, the other confirms it; from then on both have the same conversations, \
            and what is read on one is read on the other.
            Examples:
              cutied ctl link start
              cutied ctl link confirm cutie_lt_4f2a9c81 --name laptop
            """,
        subcommands: [Start.self, Confirm.self, Status.self, Devices.self, Remove.self],
        defaultSubcommand: Devices.self)

    struct Start: Verb {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract: "Draw a QR code for another device, and wait until that confirms it.",
            discussion: """
                Ends with 1 where nobody confirms it in time. Under NO_COLOR the code is drawn without \
                colours, which on a light terminal gives a negative: not every scanner reads one.
                """)

        @Option(help: .init("Write the code to a PNG file, too.", valueName: "file"))
        var png: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await LinkOffer(session: session, png: png).run(StartLink(account: account.name))
        }
    }

    struct Confirm: Verb {
        static let configuration = CommandConfiguration(
            commandName: "confirm", abstract: "Join the inbox of the device that shows the token.")

        @Argument(help: "What the other device's QR code holds.")
        var token: String

        @Option(help: .init("What this computer is called there, else its host name.", valueName: "name"))
        var name: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(ConfirmLink(linkToken: token, name: name, account: account.name))
        }
    }

    struct Status: Verb {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Tell how far a link has come; ends with 1 where its time is over.")

        @Argument(help: "The token that `cutied ctl link start` printed.")
        var token: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let link = try await session.answer(LinkStatus(linkToken: token, account: account.name))
            if link.isOver { throw ExitCode(ExitStatus.failed.rawValue) }
        }
    }

    struct Devices: Verb {
        static let configuration = CommandConfiguration(
            commandName: "devices", abstract: "List the devices of this inbox.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(LinkedDevices(account: account.name))
        }
    }

    struct Remove: Verb {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take a device out of the inbox.",
            discussion: """
                The conversations stay with the others. The device that is removed keeps nothing of them, \
                also where it is this one.
                """)

        @Argument(help: "Its id; `cutied ctl link devices` lists them.")
        var device: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.answer(RemoveDevice(device: device, account: account.name))
        }
    }
}

/// Offers a link, shows its token in all forms, and waits for the result.
private struct LinkOffer {
    let session: Session
    /// The file for the QR code; `nil` if none was requested.
    let png: String?

    /// Offers the link.
    ///
    /// - Throws: `ExitCode` 1 if the link is not confirmed.
    func run(_ call: StartLink) async throws {
        var end: LinkView?
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await session.follow(call) { answer in
                guard answer.reply.isPending else {
                    end = answer.reply
                    group.cancelAll()
                    try? await group.waitForAll()
                    try session.print(answer)
                    return .enough
                }
                try present(answer)
                if let progress = session.progress, !session.json, let limit = answer.reply.expiresAt {
                    group.addTask { try await countDown(to: limit, on: progress) }
                }
                return .goOn
            }
        }
        guard let end else { throw DaemonGone(path: session.daemon.path) }
        if !end.isConfirmed { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    private func present(_ answer: Answer<LinkView>) throws {
        let code: QRCode
        do { code = try QRCode(answer.reply.linkToken) } catch {
            throw CommandError(
                .failed, error.description,
                advice: "confirm the token by hand: " + answer.reply.linkToken)
        }
        if let png {
            do { try SmallFile.replace(png, with: code.png) } catch {
                throw CommandError(
                    .failed, "the PNG cannot be written: \(error)", advice: "name another file")
            }
        }
        if session.json { return try session.output.write(answer.line) }
        let format = session.format()
        try session.output.write(
            code.terminalText(coloured: format.colour) + "\n" + answer.reply.text(in: format)
                + "Scan the code with the other device, or type there:\n"
                + "  cutied ctl link confirm \(TerminalText.line(answer.reply.linkToken))\n")
    }

    /// Redraws one line per second and erases it at the end of the wait.
    private func countDown(to end: Int64, on progress: Output) async throws {
        defer { try? progress.write("\r\u{1B}[K") }
        while true {
            let left = max(0, (end - session.format().now) / 1000)
            let seconds = left % 60
            try progress.write("\rwaiting, \(left / 60):\(seconds < 10 ? "0" : "")\(seconds) left \u{1B}[K")
            try await EventLoop.shared.sleep(for: .seconds(1))
        }
    }
}

extension LinkView {
    var isPending: Bool { status == "pending" }
    var isConfirmed: Bool { status == "confirmed" }
    var isOver: Bool { status == "expired" }
}

extension LinkView: HumanReadable {
    func text(in format: TextFormat) -> String {
        if isConfirmed {
            return TerminalText.line(deviceName.map { "linked with \($0)" } ?? "linked") + "\n"
        }
        if isOver { return "the time is over; nobody confirmed the link\n" }
        let end = expiresAt.map { ", good until \(format.clock.time($0, seconds: true))" } ?? ""
        return TerminalText.line("link token \(linkToken)\(end)") + "\n"
    }
}

extension ConfirmLink.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        TerminalText.line("linked; this device is \(name) there") + "\n"
    }
}

extension RemoveDevice.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "removed\n" }
}

extension LinkedDevices.Reply: HumanReadable {
    var remark: String? {
        unanswered.map { TerminalText.line("no answer from the API of " + $0.joined(separator: ", ")) }
    }

    func text(in format: TextFormat) -> String {
        if devices.isEmpty { return "not linked with another device; see `cutied ctl link start`\n" }
        let namesAccounts = AccountColumn.isNeeded(for: devices.map(\.account))
        var table = Table(
            [.init("DEVICE")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("SINCE"), .init("NAME")])
        for device in devices { table.append(device.row(in: format, namesAccount: namesAccounts)) }
        return table.text(in: format)
    }
}

extension DeviceView {
    fileprivate func row(in format: TextFormat, namesAccount: Bool) -> [Table.Cell] {
        let marks = [current ? "this one" : nil, primary ? "primary" : nil].compactMap { $0 }
        let name = [deviceName, marks.isEmpty ? nil : "(\(marks.joined(separator: ", ")))"]
        return [.init(deviceId)] + (namesAccount ? [.init(account)] : [])
            + [
                .init(format.relative(joinedAt, otherwise: "")),
                .init(name.compactMap { $0 }.joined(separator: " ")),
            ]
    }
}
