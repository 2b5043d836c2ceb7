import ArgumentParser
import ControlAPI
import ControlClient
import Localization

struct ServiceVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "List, look for or forget services that apps may be allowed.",
        discussion: """
            They are of an institution that you are signed in to. No app gets at one before you say so; \
            `cutied ctl access` lists which may.
            Examples:
              cutied ctl service --mine
              cutied ctl service discover https://services.example.edu
              cutied ctl service show 'Help Desk'
              cutied ctl service forget 'Help Desk' --dry-run
            """,
        subcommands: [List.self, Discover.self, Show.self, Forget.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the services that are known, last used first.")

        @Flag(help: "Only those that you have a token for.")
        var mine = false

        @Argument(help: "Only those with these words in the name or the host.")
        var words: [String] = []

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func validate() throws { if !words.isEmpty { try words.requireText() } }

        func run(in session: Session) async throws {
            let sought = words.isEmpty ? nil : words.joined(separator: " ")
            let call = ListServices(mine: mine ? true : nil, words: sought, account: account.name)
            try session.print(
                services: try await session.call(call),
                none: mine || sought != nil
                    ? "no such service is known"
                    : "no services are known; `cutied ctl service discover URL` looks for some")
        }
    }

    struct Discover: Verb {
        static let configuration = CommandConfiguration(
            commandName: "discover", abstract: "Look which services there are, and keep them in the list.",
            discussion: "Without an address it looks where the configuration says, in access.discovery.")

        @Argument(help: "The host that tells its services.")
        var url: String?

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try session.print(
                services: try await session.call(DiscoverServices(url: url, account: account.name)),
                none: "no services were found there")
        }
    }

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show what is known of one service.")

        @Argument(help: "Its name, its host or its link in the list.", completion: .services)
        var name: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let known = try await session.call(ListServices(account: account.name)).reply.services
            guard let service = try known.service(named: name) else {
                throw CommandError(NotFound(what: "service", id: name))
            }
            try session.output.write(
                session.json
                    ? try Answer(ListServices.Reply(services: [service])).line
                    : service.text(in: session.format()))
        }
    }

    struct Forget: Verb {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Forget a service and give its tokens back.",
            discussion: "Apps that may use it cannot any more; they may ask again once it is found again.")

        @Argument(help: "Its name, its host or its link in the list.", completion: .services)
        var name: String

        @Flag(help: "Only tell what would be lost.")
        var dryRun = false

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let known = try await session.call(ListServices(account: account.name)).reply.services
            let service = try known.service(named: name)
            let call = ForgetService(
                service: service?.link ?? name, dryRun: dryRun ? true : nil,
                account: service?.account ?? account.name)
            try session.print(lossesOf: try await session.call(call), isDry: dryRun)
        }
    }
}

extension [ServiceView] {
    /// Returns the service with this link, name or host; `nil` if there is none.
    ///
    /// - Throws: a `CommandError` with the choices if several services have this name.
    func service(named word: String) throws -> ServiceView? {
        let linked = filter { $0.link == word }
        let found = linked.isEmpty ? filter { $0.name == word || $0.host == word } : linked
        let links = Set(found.map(\.link)).sorted()
        guard links.count < 2 else {
            throw CommandError(
                .badData, "\(word) is the name of several services",
                advice: "name one by its link: " + links.joined(separator: ", "))
        }
        guard found.count < 2 else {
            throw CommandError(Ambiguous(id: word, accounts: found.map(\.account)))
        }
        return found.first
    }
}

extension Session {
    fileprivate func print(services answer: Answer<ListServices.Reply>, none: String) throws {
        if json { return try output.write(answer.line) }
        let services = answer.reply.services
        try output.write(services.isEmpty ? none + "\n" : services.table(in: format()))
        for problem in answer.reply.problems ?? [] {
            try output.write("not used: " + TerminalText.line(problem) + "\n")
        }
    }
}

extension [ServiceView] {
    fileprivate func table(in format: TextFormat) -> String {
        let namesAccounts = AccountColumn.isNeeded(for: map(\.account))
        var table = Table(
            [.init("SERVICE", limit: 32)] + (namesAccounts ? [.init("ACCOUNT")] : [])
                + [.init("HOST", limit: 32), .init("TOKEN"), .init("USED"), .init("WHAT")])
        for service in self { table.append(service.row(in: format, namesAccount: namesAccounts)) }
        return table.text(in: format)
    }
}

extension ServiceView {
    fileprivate func row(in format: TextFormat, namesAccount: Bool) -> [Table.Cell] {
        [.init(name)] + (namesAccount ? [.init(account)] : [])
            + [
                .init(host), authorized ? .init("yes", .green) : .init("no"),
                .init(format.relative(usedAt, otherwise: "never")),
                .init(protocols.map(protocolWords).joined(separator: ", ")),
            ]
    }

    fileprivate func text(in format: TextFormat) -> String {
        var fields = FieldList()
        for case (let field, let value?) in [
            ("service", name), ("account", account), ("host", host), ("link", link), ("home page", homePage),
        ] {
            fields.append(field, TerminalText.line(value))
        }
        fields.append("token", authorized ? format.paint("yes", .green) : "none")
        fields.append("used", format.relative(usedAt, otherwise: "never"))
        fields.append("looked at", format.relative(fetchedAt))
        for (index, name) in protocols.enumerated() {
            let words = protocolWords(name)
            fields.append(
                index == 0 ? "protocols" : "", TerminalText.line(words == name ? name : "\(name): \(words)"))
        }
        for (index, sentence) in (unusable ?? []).enumerated() {
            fields.append(index == 0 ? "not usable" : "", TerminalText.line(sentence))
        }
        return fields.text(in: format)
    }
}
