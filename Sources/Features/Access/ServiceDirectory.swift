package import Accounts
import CutieAPI
package import EventLog
package import HTTP
package import Logging
package import OAuth
import RSD2
import Reasons
@_spi(Access) package import Store

/// Discovers and stores the services that the signed-in users may use. Documents are stored unchanged, and
/// parsed when they are used.
package final class ServiceDirectory {
    /// The index of services: the value of `access.discovery` in the configuration; `nil` if it is not set.
    package var discovery: EndpointURL?
    private let accounts: AccountRegistry
    private let store: MessageStore
    private let httpClient: HTTPClient
    private let runtime: RuntimeEnvironment
    private let logger: Logger

    package init(
        accounts: AccountRegistry, store: MessageStore, httpClient: HTTPClient,
        runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.accounts, self.store, self.httpClient) = (accounts, store, httpClient)
        (self.runtime, self.logger) = (runtime, logger)
    }

    /// A service that a user may use.
    struct Entry {
        let record: UserServiceRecord
        let description: ServiceDescription
        let person: ServiceUser

        var name: String { description.engineName }
        var link: String { record.link }
        var wasUsed: Bool { record.usedAt != nil }

        /// Returns the authorization server of the service; `nil` if the service issues no tokens.
        func makeAuthorizationServer() -> ServiceAuthorizationServer? {
            description.tokenEndpoint.map {
                ServiceAuthorizationServer(
                    token: $0, revocation: description.revocationEndpoint, clientID: person.clientID)
            }
        }
    }

    /// Returns the services that support all `protocols`.
    func findServices(supporting protocols: [String]) throws -> [Entry] {
        try fetchEntries().filter { $0.description.supports(protocols) }
    }

    func findEntry(forLink link: String, account: AccountID) throws -> Entry? {
        guard let person = accounts.serviceUser(of: account),
            let record = try store.read({ try $0.services.find(link, of: account) })
        else { return nil }
        return makeEntry(for: record, user: person)
    }

    private func fetchEntries() throws -> [Entry] {
        let people = accounts.serviceUsers
        return try store.read { try $0.services.fetchAll() }.compactMap { record in
            people.first { $0.account.id == record.account }.flatMap { makeEntry(for: record, user: $0) }
        }
    }

    private func makeEntry(for record: UserServiceRecord, user: ServiceUser) -> Entry? {
        guard let description = record.description else { return nil }
        return Entry(record: record, description: description, person: user)
    }

    func recordUse(of entry: Entry) throws {
        try store.write {
            try $0.services.recordUse(of: entry.link, account: entry.record.account, at: runtime.now())
        }
    }
}

// MARK: - Service discovery

extension ServiceDirectory {
    /// The links of the services that were found, and the reasons why other services are not usable.
    struct DiscoveryResult {
        var links: [String] = []
        var failures: [DiscoveryFailure] = []
    }

    /// Queries the configured index for services that support all `protocols`, and stores the services. If
    /// the index does not respond, the stored services stay in use.
    ///
    /// - Returns: the reasons why the index, or a service in it, cannot be used.
    @discardableResult
    func discoverServices(supporting protocols: [String], for users: [ServiceUser]) async throws -> [Reason] {
        guard let discovery else { return [] }
        let (known, others) = (
            users.filter { $0.maySendToken(to: discovery) },
            users.filter { !$0.maySendToken(to: discovery) }
        )
        var problems: [Reason] = []
        for person in known {
            problems += try await collectProblems(ofIndex: discovery) {
                let answer = try await client.sendDiscoveryRequest(
                    forProtocols: protocols, to: discovery, for: person, isAuthenticated: true)
                return try saveServices(in: answer, fromIndexAt: discovery, for: [person])
            }
        }
        if let first = others.first {
            problems += try await collectProblems(ofIndex: discovery) {
                let answer = try await client.sendDiscoveryRequest(
                    forProtocols: protocols, to: discovery, for: first)
                if answer.status == 401 {
                    // The index requires a token. This is a problem only if no account was able to send its
                    // token to the index.
                    guard known.isEmpty else { return [] }
                    throw DiscoveryFailure.otherIssuer(discovery.origin)
                }
                return try saveServices(in: answer, fromIndexAt: discovery, for: others)
            }
        }
        // Remove duplicates, because several accounts may have the same problem.
        var unique: [Reason] = []
        for problem in problems where !unique.contains(problem) { unique.append(problem) }
        return unique
    }

    /// Runs `body` and returns its problems. A failure of the index is logged and returned as a problem.
    private func collectProblems(
        ofIndex index: EndpointURL, _ body: () async throws -> [Reason]
    ) async throws -> [Reason] {
        do { return try await body() } catch let failure as DiscoveryFailure {
            logger.notice("service discovery failed", metadata: ["reason": "\(failure)"])
            return [failure.reason]
        } catch let problem as ServiceDescription.ParseError {
            logger.notice("service discovery failed", metadata: ["reason": "\(problem)"])
            return [Reason(.reasonOfHost, ["host": index.host], because: problem.reason)]
        }
    }

    /// Stores the services in the response of an index. Returns the reasons why services cannot be used.
    /// Throws `DiscoveryFailure` if the index responded with an error.
    private func saveServices(
        in response: ServiceClient.Response, fromIndexAt index: EndpointURL, for users: [ServiceUser]
    ) throws -> [Reason] {
        // An index responds with 404 if no service has all of the protocols.
        guard response.status != 404 else { return [] }
        guard response.status == 200 else {
            throw DiscoveryFailure.answered(index.origin, response.status)
        }
        return try DiscoveredServices.splitDocuments(in: response.body).compactMap { document in
            saveDescription(document, fromIndexAt: index, for: users).map {
                Reason(.reasonOfHost, ["host": index.host], because: $0)
            }
        }
    }

    /// Stores a description from the index. Returns the reason if the service cannot be used; otherwise
    /// `nil`.
    private func saveDescription(
        _ document: [UInt8], fromIndexAt index: EndpointURL, for users: [ServiceUser]
    ) -> Reason? {
        do {
            let description = try ServiceDescription(document)
            // Skip the service: a remote index must not make the daemon send tokens to a program on this
            // computer.
            guard index.isLoopback || !description.engineLink.isLoopback else {
                return logAndReturnSkipReason(
                    Reason(.serviceOnThisComputer, ["service": description.engineName]))
            }
            try saveServices(in: description, document: document, for: users)
            return nil
        } catch { return logAndReturnSkipReason(Reason(describing: error)) }
    }

    private func logAndReturnSkipReason(_ reason: Reason) -> Reason {
        logger.notice("a service was skipped", metadata: ["reason": "\(reason)"])
        return reason
    }

    /// Finds the services that a host describes, and stores them for `users`. Throws `notSignedIn` if
    /// `users` is empty.
    func discoverServices(at address: EndpointURL, for users: [ServiceUser]) async throws -> DiscoveryResult {
        guard let first = users.first else { throw DiscoveryFailure.notSignedIn }
        let result = try await makeSearch(onBehalfOf: first).search(at: address)
        var findings = DiscoveryResult(failures: result.failures)
        for document in result.documents {
            do { findings.links += try await saveVerifiedServices(of: document, for: users) } catch let
                failure
                as DiscoveryFailure
            {
                findings.failures.append(failure)
            }
        }
        return findings
    }

    private var client: ServiceClient {
        ServiceClient(httpClient: httpClient, runtime: runtime, index: discovery)
    }

    private func makeSearch(onBehalfOf person: ServiceUser) -> ServiceSearch {
        ServiceSearch(client: client, person: person) { [store] address in
            try store.read { try $0.services.fetchAll(of: person.account.id) }
                .first { $0.source == address.description }?.etag
        }
    }

    /// Stores a description, and returns the links of its services. Does not trust a description of a service
    /// on another host, and fetches the description from that host instead.
    private func saveVerifiedServices(
        of document: ServiceSearch.Document, for users: [ServiceUser]
    ) async throws -> [String] {
        guard let description = document.content?.description,
            !description.hasSameOrigin(as: document.address),
            let first = users.first
        else { return [try saveServices(in: document, for: users)] }
        let own = try await makeSearch(onBehalfOf: first).search(at: description.engineLink).documents
            .filter { $0.content?.description.hasSameOrigin(as: $0.address) ?? true }
        guard !own.isEmpty else {
            throw DiscoveryFailure.undescribed(document.address.host, description.host)
        }
        return try own.map { try saveServices(in: $0, for: users) }
    }

    /// Returns the entry. If the freshness lifetime of the stored document has passed, first fetches and
    /// stores a new document. If the request fails, returns the stored document.
    func refreshIfStale(_ entry: Entry) async throws -> Entry {
        let age = runtime.now() - entry.record.fetchedAt
        guard age < .zero || age > .seconds(entry.record.freshness), let source = entry.record.source,
            let address = try? EndpointURL(source)
        else { return entry }
        do {
            let document = try await makeSearch(onBehalfOf: entry.person).fetchDocument(
                at: address, freshnessSeconds: entry.record.freshness)
            guard document.content?.description.hasSameOrigin(as: address) ?? true else {
                throw DiscoveryFailure.undescribed(address.host, document.content?.description.host ?? "")
            }
            _ = try saveServices(in: document, for: [entry.person])
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.info("using the stored description of a service", metadata: ["reason": "\(error)"])
        }
        return try findEntry(forLink: entry.link, account: entry.record.account) ?? entry
    }
}

// MARK: - Storage of discovered services

extension ServiceDirectory {
    /// Stores a document, or records that the stored copy is still current. Returns the link of the service.
    private func saveServices(in document: ServiceSearch.Document, for users: [ServiceUser]) throws -> String
    {
        let content = try document.content ?? readStoredDescription(fetchedFrom: document.address)
        try saveServices(
            in: content.description, document: content.bytes, for: users, source: document.address,
            etag: document.etag,
            freshnessSeconds: document.freshness)
        return content.description.engineLink.description
    }

    private func readStoredDescription(
        fetchedFrom address: EndpointURL
    ) throws -> (bytes: [UInt8], description: ServiceDescription) {
        let record = try store.read { try $0.services.fetchAll() }.first { $0.source == address.description }
        guard let record, let description = record.description else {
            throw DiscoveryFailure.answered(address.origin, 304)
        }
        return (record.document, description)
    }

    private func saveServices(
        in description: ServiceDescription, document: [UInt8], for users: [ServiceUser],
        source: EndpointURL? = nil, etag: String? = nil, freshnessSeconds: Int = ServiceList.defaultFreshness
    ) throws {
        guard !description.apis.isEmpty || !description.refusals.isEmpty else {
            throw DiscoveryFailure.noProtocols(description.engineName)
        }
        guard let target = description.tokenEndpoint else {
            throw description.tokenRefusal.map { .unusableTokens(description.host, $0) }
                ?? DiscoveryFailure.noTokens(description.engineName)
        }
        for reason in description.refusals.values.sorted(by: { $0.english < $1.english }) {
            logger.notice(
                "an API of a service was skipped",
                metadata: ["service": "\(description.host)", "reason": "\(reason)"])
        }
        let now = runtime.now()
        try store.write { transaction in
            for person in users {
                let record = UserServiceRecord(
                    account: person.account.id, link: description.engineLink.description,
                    name: description.engineName, document: document, tokenTarget: target.description,
                    source: source?.description, etag: etag, fetchedAt: now, freshness: freshnessSeconds)
                try transaction.services.save(record, protocols: Array(description.apis.keys))
            }
        }
    }
}

extension UserServiceRecord {
    /// The parsed document; `nil` if this version cannot parse it.
    var description: ServiceDescription? {
        try? ServiceDescription(document, at: source.flatMap { try? EndpointURL($0) })
    }
}
