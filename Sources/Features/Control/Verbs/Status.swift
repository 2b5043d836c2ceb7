import ArgumentParser
import ControlAPI
import ControlClient

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show connections, badge, outbox and notifications.")

    @Flag(help: "With --json: also the number of each conversation in the badge.")
    var conversations = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let answer = try await session.call(GetStatus(conversations: conversations ? true : nil))
        guard let name = account.name else { return try session.print(answer) }
        try session.print(DaemonReply(answer.reply.narrowed(to: name)))
    }
}

/// The command that status bars and scripts run often: `ctl status`. Does not use ArgumentParser: its type
/// casts search all protocol conformances of the program, which would double the duration of the command.
public struct PolledCommand: Sendable {
    let json: Bool
    let noWait: Bool

    /// Parses the arguments of the program. Returns `nil` for other commands and for other options, which
    /// ArgumentParser parses.
    public init?(_ words: [String]) {
        let flags = words.dropFirst(2)
        guard words.starts(with: ["ctl", "status"]),
            flags.allSatisfy({ $0 == "--json" || $0 == "--no-wait" })
        else { return nil }
        json = flags.contains("--json")
        noWait = flags.contains("--no-wait")
    }

    public func run() async throws {
        let session = try Session.makeForThisProcess(json: json, noWait: noWait)
        try session.print(try await session.call(GetStatus()))
    }
}

extension GetStatus.Reply {
    /// Returns the status with `account` as the only account. `account`: `nil` returns the status unchanged.
    ///
    /// - Throws: a `CommandError` if the account does not exist.
    func narrowed(to account: String?) throws -> GetStatus.Reply {
        guard let account else { return self }
        guard let only = accounts.first(where: { $0.name == account }) else {
            throw CommandError(NotFound(what: "account", id: account))
        }
        var result = self
        result.accounts = [only]
        result.state = only.state
        result.badge = only.badge
        (result.outbox, result.outboxFailed) = (only.outbox, only.outboxFailed)
        return result
    }
}

extension GetStatus.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        var fields = FieldList()
        let only = accounts.count == 1 ? accounts.first : nil
        fields.append(
            name: "state",
            value: accounts.isEmpty
                ? "no account yet: open the link of an app, or run `cutied setup`"
                : only?.connectionText(in: format) ?? stateSummary(in: format))
        fields.append(name: "badge", value: badge.sentence)
        fields.append(
            name: "notifications", value: currentHolds.message(notificationServer: notifier, in: format))
        fields.append(name: "outbox", value: outboxText(in: format))
        if let indexing { fields.append(name: "search", value: "indexing old messages: \(indexing) %") }
        only?.addFields(to: &fields, format: format)
        fields.append(name: "daemon", value: TerminalText.singleLine("\(version), log at \(sequence)"))
        let overview = fields.text(in: format)
        return accounts.count > 1 ? overview + "\n" + tableText(in: format) : overview
    }

    /// Returns the state if all accounts have the same state; otherwise, each state with the names of its
    /// accounts.
    private func stateSummary(in format: TextFormat) -> String {
        var states: [ConnectionState] = []
        for account in accounts where !states.contains(account.state) { states.append(account.state) }
        guard states.count > 1 else { return format.styled(state.rawValue, as: state.style) }
        return states.map { state in
            let names = accounts.filter { $0.state == state }.map(\.name).joined(separator: ", ")
            return format.styled(state.rawValue, as: state.style) + TerminalText.singleLine(" (\(names))")
        }.joined(separator: ", ")
    }

    /// Returns the numbers of pending and failed items. The user must handle failed items.
    private func outboxText(in format: TextFormat) -> String {
        let waiting = outbox == 0 ? [] : ["\(outbox) to send"]
        let failed =
            outboxFailed == 0
            ? [] : [format.styled("\(outboxFailed) could not be sent: `cutied ctl outbox`", as: .red)]
        return (waiting + failed).isEmpty ? "empty" : (waiting + failed).joined(separator: ", ")
    }

    private func tableText(in format: TextFormat) -> String {
        var table = Table([
            .init("ACCOUNT"), .init("STATE"), .init("TRANSPORT"), .init("BADGE", alignsRight: true),
            .init("LAST EVENT"), .init("APP"), .init("API"),
        ])
        for account in accounts {
            table.append([
                .init(account.name, .bold), .init(account.state.rawValue, account.state.style),
                .init(account.transport), .init(account.badge.total.map(String.init) ?? "?"),
                .init(format.relativeTimeText(for: account.lastEventAt, otherwise: "")),
                .init(account.appName ?? account.appId ?? ""),
                .init(account.apiUrl),
            ])
        }
        let reasons = accounts.flatMap { account in
            let shared = account.inboxOf.map {
                "shares the inbox of \($0), which shows and counts its messages"
            }
            let notes = [account.explanation(in: format), account.registration, shared].compactMap(\.self)
            return (notes + account.warnings).map {
                TerminalText.singleLine("\(account.name): \($0)") + "\n"
            }
        }
        return table.text(in: format) + (reasons.isEmpty ? "" : "\n") + reasons.joined()
    }
}

extension AccountView {
    /// The title; `nil` if the address contains the title.
    fileprivate var appName: String? { title.flatMap { apiUrl.contains($0) ? nil : $0 } }

    fileprivate func connectionText(in format: TextFormat) -> String {
        let line = state.message(transport: transport, reason: explanation(in: format))
        return format.styled(line, as: state.style)
    }

    /// Returns the reason for the state and the time of the next attempt; `nil` if both are unknown.
    fileprivate func explanation(in format: TextFormat) -> String? {
        let next = nextTryAt.map {
            "next try " + ($0 - format.now < 1000 ? "now" : format.relativeTimeText(for: $0))
        }
        let parts = [reason, next].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    fileprivate func addFields(to fields: inout FieldList, format: TextFormat) {
        let isNamedByKey = title == nil && AccountColumn.isNeeded(for: [name])
        let names = [isNamedByKey ? name : appName, appId].compactMap(\.self)
        let place = names.isEmpty ? apiUrl : names.joined(separator: ": ") + " at " + apiUrl
        fields.append(name: "account", value: TerminalText.singleLine(place))
        if let deviceId { fields.append(name: "device", value: TerminalText.singleLine(deviceId)) }
        if let registration {
            fields.append(name: "registration", value: TerminalText.singleLine(registration))
        }
        // An account that only polls receives no events, so it has no last event.
        if let lastEventAt {
            fields.append(name: "last event", value: format.relativeTimeText(for: lastEventAt))
        }
        for warning in warnings {
            fields.append(
                name: "warning", value: format.styled(TerminalText.singleLine(warning), as: .yellow))
        }
    }
}
