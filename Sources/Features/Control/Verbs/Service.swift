import ArgumentParser
import ControlAPI
import ControlClient
import Localization

struct ServiceVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "List, find or forget services that apps can request access to.",
        discussion: """
            The services belong to an institution that you are signed in to. An app can use a service only \
            after you allow it; `cutied ctl access` lists the allowed apps.

            Examples:
              cutied ctl service --mine
              cutied ctl service discover https://services.example.edu
              cutied ctl service show 'Help Desk'
              cutied ctl service forget 'Help Desk' --dry-run
            """,
        subcommands: [List.self, Discover.self, Show.self, Forget.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the known services, last used first.")

        @Flag(help: "Only services that this computer has access to.")
        var mine = false

        @Argument(help: "Only services with these words in the name or the host.")
        var words: [String] = []

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func validate() throws { if !words.isEmpty { try words.requireVisibleText() } }

        func run(in session: Session) async throws {
            let sought = words.isEmpty ? nil : words.joined(separator: " ")
            let call = ListServices(mine: mine ? true : nil, words: sought, account: account.name)
            try session.printServices(
                try await session.call(call),
                emptyMessage: mine || sought != nil
                    ? "no matching services"
                    : "no services are known; `cutied ctl service discover URL` finds services")
        }
    }

    struct Discover: Verb {
        static let configuration = CommandConfiguration(
            commandName: "discover", abstract: "Find services and add them to the list.",
            discussion: "Without an address, uses access.discovery of the config.")

        @Argument(help: "The host to ask for its services.")
        var url: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try session.printServices(
                try await session.call(DiscoverServices(url: url, account: account.name)),
                emptyMessage: "no services were found", showsExplanations: true)
        }
    }

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the details of one service.")

        @Argument(help: "Name, host or link of the service, as in the list.", completion: .services)
        var name: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let known = try await session.call(ListServices(account: account.name)).reply.services
            guard let found = try known.findService(named: name) else {
                throw CommandError(NotFound(what: "service", id: name))
            }
            let details = ListServices(account: found.account, link: found.link)
            let service =
                try await session.call(details).reply.services.first {
                    $0.link == found.link && $0.account == found.account
                } ?? found
            try session.output.write(
                session.json
                    ? try DaemonReply(ListServices.Reply(services: [service])).line
                    : service.text(in: session.format()))
        }
    }

    struct Forget: Verb {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Forget a service and revoke its tokens.",
            discussion:
                "Apps can no longer use the service. They may ask again after the service is found again.")

        @Argument(help: "Name, host or link of the service, as in the list.", completion: .services)
        var name: String

        @Flag(help: "Only list what would be deleted or revoked.")
        var dryRun = false

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let known = try await session.call(ListServices(account: account.name)).reply.services
            let service = try known.findService(named: name)
            let call = ForgetService(
                service: service?.link ?? name, dryRun: dryRun ? true : nil,
                account: service?.account ?? account.name)
            try session.printEffects(of: try await session.call(call), isDryRun: dryRun)
        }
    }
}

extension [ServiceView] {
    /// Returns the service with this link, name or host; `nil` if there is none.
    ///
    /// - Throws: a `CommandError` with the choices if several services have this name.
    func findService(named word: String) throws -> ServiceView? {
        let linked = filter { $0.link == word }
        let found = linked.isEmpty ? filter { $0.name == word || $0.host == word } : linked
        let links = Set(found.map(\.link)).sorted()
        guard links.count < 2 else {
            throw CommandError(
                .badData, "\(word) is the name of several services",
                advice: "use one of these links: " + links.joined(separator: ", "))
        }
        guard found.count < 2 else {
            throw CommandError(Ambiguous(id: word, accounts: found.map(\.account)))
        }
        return found.first
    }
}

extension Session {
    /// Prints the services.
    ///
    /// - Parameter showsExplanations: whether to print why protocols cannot be used.
    fileprivate func printServices(
        _ response: DaemonReply<ListServices.Reply>, emptyMessage: String, showsExplanations: Bool = false
    ) throws {
        if json { return try output.write(response.line) }
        let services = response.reply.services
        try output.write(services.isEmpty ? emptyMessage + "\n" : services.tableText(in: format()))
        for problem in response.reply.problems ?? [] {
            try output.write("unsupported: " + TerminalText.singleLine(problem) + "\n")
        }
        guard showsExplanations else { return }
        for sentence in services.flatMap({ $0.unusable ?? [] }) {
            try output.write("not usable: " + TerminalText.singleLine(sentence) + "\n")
        }
    }
}

extension [ServiceView] {
    fileprivate func tableText(in format: TextFormat) -> String {
        let namesAccounts = AccountColumn.isNeeded(for: map(\.account))
        var table = Table(
            [.init("SERVICE", limit: 32)] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("HOST", limit: 32), .init("TOKEN"), .init("USED"), .init("WHAT")])
        for service in self { table.append(service.makeRow(in: format, showsAccount: namesAccounts)) }
        return table.text(in: format)
    }
}

extension ServiceView {
    fileprivate func makeRow(in format: TextFormat, showsAccount: Bool) -> [Table.Cell] {
        [.init(name)] + (showsAccount ? [.init(account)] : [])
            + [
                .init(host), authorized ? .init("yes", .green) : .init("no"),
                .init(format.relativeTimeText(for: usedAt, otherwise: "never")),
                .init(protocols.map(protocolLabel).joined(separator: ", ")),
            ]
    }

    fileprivate func text(in format: TextFormat) -> String {
        var fields = FieldList()
        for case (let field, let value?) in [
            ("service", name), ("account", account), ("host", host), ("link", link), ("home page", homePage),
        ] {
            fields.append(name: field, value: TerminalText.singleLine(value))
        }
        fields.append(name: "token", value: authorized ? format.styled("yes", as: .green) : "none")
        fields.append(name: "used", value: format.relativeTimeText(for: usedAt, otherwise: "never"))
        fields.append(name: "checked", value: format.relativeTimeText(for: fetchedAt))
        for (index, name) in protocols.enumerated() {
            let words = protocolLabel(name)
            fields.append(
                name: index == 0 ? "protocols" : "",
                value: TerminalText.singleLine(words == name ? name : "\(name): \(words)"))
            for line in apis?.first(where: { $0.name == name })?.details ?? [] {
                fields.append(name: "", value: "  " + TerminalText.singleLine(line))
            }
        }
        for (index, sentence) in (unusable ?? []).enumerated() {
            fields.append(name: index == 0 ? "not usable" : "", value: TerminalText.singleLine(sentence))
        }
        return fields.text(in: format)
    }
}

extension ServiceProtocol {
    /// The properties of the protocol in addition to its name, one per line.
    fileprivate var details: [String] {
        [
            preferred ? "preferred by the service" : nil, "link " + link,
            versions.isEmpty ? nil : "version " + versions.joined(separator: ", "),
            "transport " + transports.joined(separator: ", "), docs.map { "documentation " + $0 },
            description.map { "WSDL " + $0 }, notes.map { "note: " + $0 },
        ].compactMap(\.self)
    }
}
