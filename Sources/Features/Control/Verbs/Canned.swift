import ArgumentParser
import ControlAPI
import ControlClient

struct CannedVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canned", abstract: "List, create or send canned responses.",
        discussion: "Needs a support staff account; otherwise the command exits with 64.",
        subcommands: [List.self, Add.self, Use.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the canned responses.")

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ListCannedResponses(account: account.name))
        }
    }

    struct Add: Verb {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Create a canned response; {{name}} is a placeholder.",
            discussion: """
                Example:
                  cutied ctl canned add --title Thanks 'Thank you, {{name}}! We look into it.'
                """)

        @Option(help: "The title.")
        var title: String

        @Option(help: "The category, as free text.")
        var category: String?

        @Argument(help: "The text; - reads it from standard input.")
        var content: String

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let text = try MessageArgument.resolve(content, readStandardInput: session.standardInput)
            let reply = try await session.printReplyWithRetry(
                to: CreateCannedResponse(
                    title: title, content: text, category: category, account: account.name))
            try session.throwIfQueued(reply.queued)
        }
    }

    struct Use: Verb {
        static let configuration = CommandConfiguration(
            commandName: "use", abstract: "Reply with a canned response and print the message's id.",
            discussion: """
                Shows the text before sending it, and asks for confirmation on a terminal. {{name}} is the \
                user's name unless --var sets it.

                Example:
                  cutied ctl canned use conv_42 canned_7
                """)

        @Argument(help: "The conversation; `cutied ctl inbox` lists them.", completion: .conversations)
        var conversation: String

        @Argument(help: "Id of the canned response; `cutied ctl canned` lists them.")
        var response: String

        @Argument(help: .init("The value of {{NAME}}.", valueName: "name=value"))
        var variables: [String] = []

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        @Flag(help: "Only show the text; send nothing.")
        var preview = false

        @OptionGroup var account: AccountOption
        @OptionGroup var options: CommonOptions

        func validate() throws { _ = try parseVariableValues() }

        private func parseVariableValues() throws -> [String: String] {
            var values: [String: String] = [:]
            for variable in variables {
                guard let sign = variable.firstIndex(of: "="), sign > variable.startIndex else {
                    throw ValidationError("\(variable) does not have the form NAME=VALUE")
                }
                values[String(variable[..<sign])] = String(variable[variable.index(after: sign)...])
            }
            return values
        }

        func run(in session: Session) async throws {
            var call = UseCannedResponse(
                conversation: conversation, response: response, variables: try parseVariableValues(),
                preview: true,
                account: account.name)
            let shown = try await session.call(call)
            if preview { return try session.print(shown) }
            let text = shown.reply.text ?? ""
            try session.remarks.write(TerminalText.indented(text) + "\n")
            if !yes, let prompt = session.prompt, try !askToConfirmSending(using: prompt) {
                throw CommandError(.failed, "nothing was sent")
            }
            call.preview = nil
            let reply = try await session.printReplyWithRetry(to: call)
            try session.throwIfQueued(reply.queued)
        }

        private func askToConfirmSending(using prompt: TerminalPrompt) throws -> Bool {
            let line = try prompt.ask("send it? [y/n] ") ?? ""
            return ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
        }
    }
}

extension ListCannedResponses.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if responses.isEmpty { return "no canned responses\n" }
        var table = Table([.init("ID"), .init("TITLE", limit: 30), .init("CATEGORY"), .init("TEXT")])
        for response in responses {
            table.append([
                .init(response.responseId), .init(response.title), .init(response.category ?? ""),
                .init(response.content),
            ])
        }
        return table.text(in: format)
    }
}

extension UseCannedResponse.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if let text { return TerminalText.indented(text) }
        return TerminalText.singleLine(messageId ?? "queued") + "\n"
    }
}
