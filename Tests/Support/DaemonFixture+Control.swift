extension DaemonFixture {
    /// The result of running `cutied ctl`.
    public struct CommandResult: Sendable {
        public let code: Int32
        public let output: String
        public let error: String
    }

    @discardableResult
    public func ctl(_ arguments: String..., input: String = "") async throws -> CommandResult {
        let program = try startVerb(arguments, input: input)
        let code = try await program.waitForExit()
        return CommandResult(code: code, output: program.standardOutput, error: program.standardError)
    }

    /// Runs `cutied open` without a terminal, in the same way as the desktop.
    public func open(_ link: String) async throws -> CommandResult {
        let program = try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), ["open", link], environment: environment)
        let code = try await program.waitForExit()
        return CommandResult(code: code, output: program.standardOutput, error: program.standardError)
    }

    /// Starts a verb, which is killed when the returned value is released.
    public func startVerb(_ arguments: [String], input: String = "") throws -> SpawnedProgram {
        try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), ["ctl"] + arguments, environment: environment, input: input)
    }

    /// Starts a conversation with `ctl new`. Returns the ID of the conversation.
    public func startConversation(
        _ title: String, _ text: String = "How do I?", account: String? = nil
    ) async throws -> String {
        let options =
            ["--category", "question", "--title", title] + (account.map { ["--account", $0] } ?? [])
        let program = try startVerb(["new"] + options + [text])
        guard try await program.waitForExit() == 0, let id = program.lines.first else {
            throw DaemonFailure(description: "ctl new: \(program.standardError)")
        }
        return id
    }

    public var control: MinimalVarlinkClient { MinimalVarlinkClient(path: socketFile) }

    /// A Varlink client on the access socket.
    public var access: MinimalVarlinkClient {
        MinimalVarlinkClient(
            path: directory.file("run/cutied/access/access.sock"), interface: "io.cutied.Access")
    }

    /// Returns the status with the unread count of each conversation.
    public func fetchStatus() async throws -> StatusRecord {
        try await control.call("GetStatus", ["conversations": true])
    }

    public func fetchThread(_ conversation: String) async throws -> ThreadRecord {
        try await control.call("GetConversation", ["conversation": conversation])
    }

    public func fetchInbox() async throws -> [ConversationRecord] {
        try await control.call("ListConversations", as: InboxRecord.self).conversations
    }

    /// Returns the ledger steps of a message, oldest first; an empty list if the message does not exist.
    public func fetchLedger(of message: String) async throws -> LedgerRecord {
        do {
            return try await control.call("Explain", ["message": message])
        } catch let failure as MinimalVarlinkClient.Failure
            where failure.error == "io.cutied.Control.NotFound"
        {
            return LedgerRecord(steps: [])
        }
    }

    public func fetchOutbox() async throws -> [OutboxListRecord.Item] {
        try await control.call("ListOutbox", as: OutboxListRecord.self).items
    }

    /// Returns the event log entries after `sequence`, by default all entries.
    public func fetchLog(since sequence: Int64 = 0) async throws -> [LogRecord] {
        try await control.fetchLog(since: sequence)
    }

    /// Returns the IDs of all messages in the event log, including duplicates.
    public func fetchLoggedMessages() async throws -> [String] {
        try await fetchLog().filter { $0.type == "message.created" }.compactMap(\.message)
    }

    /// Waits until all accounts are connected, by `transport` if given.
    public func waitUntilConnected(by transport: String? = nil) async throws {
        try await waitForStatus("the accounts are connected\(transport.map { " by " + $0 } ?? "")") {
            status in
            status.state == "connected"
                && (transport == nil || status.accounts.allSatisfy { $0.transport == transport })
        }
    }

    /// Waits until the status meets `condition`. Returns the status.
    @discardableResult
    public func waitForStatus(
        _ what: String, _ condition: (StatusRecord) async throws -> Bool
    ) async throws -> StatusRecord {
        var last: StatusRecord?
        do {
            try await eventually(what) {
                let seen = try await fetchStatus()
                last = seen
                return try await condition(seen)
            }
        } catch is ConditionTimeout {
            throw DaemonFailure(description: "never: \(what); last: \(last.map { "\($0)" } ?? "nothing")")
        }
        return try await fetchStatus()
    }

    /// Waits until the total of the badge is `total`.
    public func waitForBadge(_ total: Int) async throws {
        try await waitForStatus("badge \(total)") { $0.badge.total == total }
    }
}
