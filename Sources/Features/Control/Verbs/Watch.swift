import ArgumentParser
import ControlAPI
import ControlClient

struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print one line per event until interrupted.",
        discussion: """
            Continues without gaps after the daemon restarts. With --waybar, prints the JSON lines of a Waybar \
            custom module, immediately and on each change.

            Examples:
              cutied ctl watch --json | jq 'select(.type == "message.created")'
              cutied ctl watch --since 1234
            """)

    @Option(
        help: .init("Start after this log sequence number.", valueName: "sequence"),
        transform: WholeNumber.parseSequenceNumber)
    var since: Int64?

    @Flag(help: "Print lines for Waybar.")
    var waybar = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        if waybar, since != nil { throw ValidationError("--since cannot be used with --waybar") }
    }

    func run() async throws {
        Streaming.installQuietExitHandlers()
        try await run(in: try .makeForThisProcess(options: options))
    }

    func run(in session: Session) async throws {
        if waybar {
            var printer = WaybarPrinter(session: session, account: account.name)
            try await printer.run()
        } else {
            try await session.mappingErrors { try await printLog(in: session) }
        }
    }

    /// Prints new log entries, and continues after restarts of the daemon. Returns only after an error or a
    /// closed pipe.
    private func printLog(in session: Session) async throws {
        var hasBegun = false
        // The number of reconnects that are still allowed before the first entry. The number is limited,
        // because a daemon that closes every connection is faulty, not restarting.
        var chances = 5
        try await session.daemon.watch(since: since) { update in
            switch update {
            case .entry(let entry):
                if !hasBegun { try await checkAccountExists(in: session) }
                hasBegun = true
                if entry.reply.concernsAccount(account.name) { try session.print(entry) }
            case .disconnected(let gone) where !hasBegun:
                // Before the first entry, report an error if the daemon is not running. After the first
                // entry, wait for the restart of the daemon.
                guard gone.cause == .left, chances > 0 else { throw gone }
                chances -= 1
            case .disconnected: break
            }
            return .proceed
        }
    }

    private func checkAccountExists(in session: Session) async throws {
        guard let name = account.name else { return }
        _ = try await session.call(GetStatus()).reply.narrowed(to: name)
    }
}

extension Watch.Reply {
    /// Returns whether the entry concerns the account. An entry without an account concerns all accounts.
    fileprivate func concernsAccount(_ name: String?) -> Bool {
        name == nil || account == nil || account == name
    }
}

extension Watch.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        let named = account.flatMap { type.needsAccountName || AccountColumn.isNeeded(for: [$0]) ? $0 : nil }
        let place = [named, conversation].compactMap(\.self).map(TerminalText.singleLine)
        let words =
            [
                format.clock.timestampText(for: at),
                format.styled(TerminalText.singleLine(type.rawValue), as: .bold),
            ] + place
        return (words + [eventText].filter { !$0.isEmpty }).joined(separator: "  ") + "\n"
    }

    /// A description of the entry; empty if the type alone describes the entry.
    private var eventText: String {
        if let message = data?.message {
            return TerminalText.singleLine("\(message.sender): \(message.message)")
        }
        switch type {
        case .accountAuthenticated: return "signed in"
        case .accountUnauthenticated:
            return TerminalText.singleLine(data?.reason.map { "not signed in: " + $0 } ?? "not signed in")
        case .accessRequested, .accessGranted, .accessRefused, .accessRevoked: return accessText
        // An entry without a state reports a change of the outbox, the user, a pause, quiet hours or the
        // notification server.
        case .state where state == nil:
            return "the outbox or the notifications changed; see `cutied ctl status`"
        case .conversationOpened: return data?.openedBy.map { TerminalText.singleLine("by \($0)") } ?? ""
        case .reset: return "earlier events are no longer in the log"
        case .conversationUpdated: return TerminalText.singleLine(data?.conversation?.heading ?? "")
        case .snapshot, .state, .badge, .messageCreated, .conversationRead, .deviceLinked, .deviceUnlinked,
            .unknown:
            return [stateText, badgeText].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// The app, the services and the program as in `ctl access`: `Notes at Help Desk (org.example.Notes)`.
    private var accessText: String {
        let program = data?.app.map(AppIdentity.displayName)
        guard let app = data?.appName ?? program else { return "" }
        let services = data?.services.map { $0.isEmpty ? "" : " at " + $0.joined(separator: ", ") } ?? ""
        let identity = program.map { $0 == app ? "" : " (\($0))" } ?? ""
        return TerminalText.singleLine(app + services + identity)
    }

    private var stateText: String? {
        state.map { $0.message(transport: data?.transport, reason: data?.reason) }
    }

    private var badgeText: String? {
        let name = type == .badge ? "" : "badge "
        return badge.map { name + ($0.total.map(String.init) ?? "not known yet") }
    }
}

extension EntryKind {
    /// Whether the message about the entry must contain the account name.
    fileprivate var needsAccountName: Bool {
        self == .accountAuthenticated || self == .accountUnauthenticated
    }

    /// Whether the connection state may have changed at or before this entry.
    var mayChangeState: Bool { self == .state || self == .snapshot }
}
