extension AccountUnit {
    /// What is on its way when a reload takes the unit away has so long to arrive.
    private static let deliveryLimit: Duration = .seconds(5)

    /// Runs until `stop` moves, and then until what is on its way has arrived.
    func run(until stop: Head) async throws {
        try await race(
            { try await endure("outbox") { try await outbox.run() } },
            {
                try await runBesideOutbox(until: stop)
                // Broken off, it would have to be sent again, and may have arrived.
                try await outbox.finish(within: Self.deliveryLimit)
            })
    }

    private func runBesideOutbox(until stop: Head) async throws {
        try await race(
            { try await endure("feed") { try await feed.run() } },
            { try await endure("registration") { try await feed.authorizer.run(by: feed.client) } },
            { try await endure("inbox") { try await feed.followInbox(attestor.connections) } },
            { try await endure("attestation") { try await attestor.run(by: feed.client, surroundings) } },
            { try await endure("push") { try await push.run() } },
            { try await stop.passed(0) })
    }

    private func endure(_ what: String, _ body: () async throws -> Void) async throws {
        try await enduring(what, surroundings, logger, body)
    }

    /// The person does not want to wait any longer.
    func reconnect() throws {
        feed.revalidate(because: .person)
        try outbox.hasten()
    }
}
