import ArgumentParser
import ControlAPI
import ControlClient
import Platform
import QR
import Runtime

struct LinkVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Share one inbox between your devices.",
        discussion: """
            One device creates a link token and the other confirms it. Afterwards both devices have the same \
            conversations and the same read state.

            Examples:
              cutied ctl link start
              cutied ctl link confirm cutie_lt_4f2a9c81 --name laptop
            """,
        subcommands: [Start.self, Confirm.self, Status.self, Devices.self, Remove.self],
        defaultSubcommand: Devices.self)

    struct Start: Verb {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract: "Show a QR code for another device and wait for its confirmation.",
            discussion: """
                Exits with 1 if the link is not confirmed in time. With NO_COLOR the code is drawn without \
                colors; on a light terminal it is then inverted, which some scanners cannot read.
                """)

        @Option(help: .init("Also write the code to a PNG file.", valueName: "file"))
        var png: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await LinkCodePresenter(session: session, png: png).offerLinkAndAwaitResult(
                with: StartLink(account: account.name))
        }
    }

    struct Confirm: Verb {
        static let configuration = CommandConfiguration(
            commandName: "confirm", abstract: "Join the inbox of the device that shows the token.")

        @Argument(help: "The text of the other device's QR code.")
        var token: String

        @Option(
            help: .init(
                "Name of this computer on the other devices; default: the host name.", valueName: "name"))
        var name: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ConfirmLink(linkToken: token, name: name, account: account.name))
        }
    }

    struct Status: Verb {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the state of a link token; exit with 1 if it has expired.")

        @Argument(help: "The token that `cutied ctl link start` printed.")
        var token: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let link = try await session.printReply(to: LinkStatus(linkToken: token, account: account.name))
            if link.hasEnded { throw ExitCode(ExitStatus.failed.rawValue) }
        }
    }

    struct Devices: Verb {
        static let configuration = CommandConfiguration(
            commandName: "devices", abstract: "List the devices of this inbox.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: LinkedDevices(account: account.name))
        }
    }

    struct Remove: Verb {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a device from the inbox.",
            discussion: """
                The other devices keep the conversations. They are deleted from the removed device, even if \
                it is this one.
                """)

        @Argument(help: "Id of the device; `cutied ctl link devices` lists them.")
        var device: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: RemoveDevice(device: device, account: account.name))
        }
    }
}

/// Offers a link to another device, shows the token as a QR code and as text, and waits for the result.
private struct LinkCodePresenter {
    let session: Session
    /// The file for the QR code; `nil` if the user requested none.
    let png: String?

    /// Offers the link and waits for its result.
    ///
    /// - Throws: `ExitCode` 1 if the link is not confirmed.
    func offerLinkAndAwaitResult(with call: StartLink) async throws {
        var end: LinkView?
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await session.followReplies(to: call) { answer in
                guard answer.reply.isPending else {
                    end = answer.reply
                    group.cancelAll()
                    try? await group.waitForAll()
                    try session.print(answer)
                    return .stop
                }
                try presentLinkCode(from: answer)
                if let progress = session.progress, !session.json, let limit = answer.reply.expiresAt {
                    group.addTask { try await countDown(to: limit, on: progress) }
                }
                return .proceed
            }
        }
        guard let end else { throw DaemonUnavailable(path: session.daemon.path) }
        if !end.isConfirmed { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    private func presentLinkCode(from response: DaemonReply<LinkView>) throws {
        let code: QRCode
        do { code = try QRCode(response.reply.linkToken) } catch {
            throw CommandError(
                .failed, error.description,
                advice: "confirm the token manually: " + response.reply.linkToken)
        }
        if let png {
            do { try SmallFile.replace(png, with: code.png) } catch {
                throw CommandError(
                    .failed, "the PNG cannot be written: \(error)", advice: "name another file")
            }
        }
        if session.json { return try session.output.write(response.line) }
        let format = session.format()
        try session.output.write(
            code.terminalText(usesColor: format.usesColor) + "\n" + response.reply.text(in: format)
                + "Scan the code with the other device, or run there:\n"
                + "  cutied ctl link confirm \(TerminalText.singleLine(response.reply.linkToken))\n")
    }

    /// Redraws a line with the remaining time each second, and erases the line at the end of the wait.
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
    var hasEnded: Bool { status == "expired" }
}

extension LinkView: HumanReadable {
    func text(in format: TextFormat) -> String {
        if isConfirmed {
            return TerminalText.singleLine(deviceName.map { "linked with \($0)" } ?? "linked") + "\n"
        }
        if hasEnded { return "the link token has expired without confirmation\n" }
        let end =
            expiresAt.map { ", valid until \(format.clock.timeText(for: $0, showsSeconds: true))" } ?? ""
        return TerminalText.singleLine("link token \(linkToken)\(end)") + "\n"
    }
}

extension ConfirmLink.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        TerminalText.singleLine("linked as \(name)") + "\n"
    }
}

extension RemoveDevice.Reply: HumanReadable {
    func text(in format: TextFormat) -> String { "removed\n" }
}

extension LinkedDevices.Reply: HumanReadable {
    var remark: String? {
        unanswered.map {
            TerminalText.singleLine("no response from the API of " + $0.joined(separator: ", "))
        }
    }

    func text(in format: TextFormat) -> String {
        if devices.isEmpty { return "not linked with another device; see `cutied ctl link start`\n" }
        let namesAccounts = AccountColumn.isNeeded(for: devices.map(\.account))
        var table = Table(
            [.init("DEVICE")] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("SINCE"), .init("NAME")])
        for device in devices { table.append(device.makeRow(in: format, showsAccount: namesAccounts)) }
        return table.text(in: format)
    }
}

extension DeviceView {
    fileprivate func makeRow(in format: TextFormat, showsAccount: Bool) -> [Table.Cell] {
        let marks = [current ? "this device" : nil, primary ? "primary" : nil].compactMap { $0 }
        let name = [deviceName, marks.isEmpty ? nil : "(\(marks.joined(separator: ", ")))"]
        return [.init(deviceId)] + (showsAccount ? [.init(account)] : [])
            + [
                .init(format.relativeTimeText(for: joinedAt, otherwise: "")),
                .init(name.compactMap { $0 }.joined(separator: " ")),
            ]
    }
}
