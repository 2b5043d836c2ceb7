import ArgumentParser
import ControlAPI

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
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.startLink(StartLink(account: account.name), png: png)
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
        @OptionGroup var talk: TalkOptions

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
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            let link = try await session.answer(LinkStatus(linkToken: token, account: account.name))
            if link.isOver { throw ExitCode(ExitStatus.failed.rawValue) }
        }
    }

    struct Devices: Verb {
        static let configuration = CommandConfiguration(
            commandName: "devices", abstract: "List the devices of this inbox.")

        @OptionGroup var account: AccountOption
        @OptionGroup var talk: TalkOptions

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
        @OptionGroup var talk: TalkOptions

        func run(in session: Session) async throws {
            try await session.answer(RemoveDevice(device: device, account: account.name))
        }
    }
}
