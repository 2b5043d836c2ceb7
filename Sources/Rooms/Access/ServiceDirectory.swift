package import Accounts
import CutieAPI
package import HTTP
package import Log
package import Logging
package import OAuth
import RSD2
@_spi(Access) package import Store

/// Which services there are for the people who signed in: protocol discovery and the service manager. What was fetched
/// is kept as it came, and read when it is used.
package final class ServiceDirectory {
    /// `access.discovery` of the configuration; nil: only what the person has looked for.
    package var discovery: EndpointURL?
    private let accounts: Accounts
    private let store: Store
    private let transport: Transport
    private let surroundings: Surroundings
    private let logger: Logger
    /// So long a document is used without a look.
    private static let freshness: Duration = .seconds(86_400)
    /// Nobody waits longer for a list of services.
    private static let patience: Duration = .seconds(15)

    package init(
        accounts: Accounts, store: Store, transport: Transport, surroundings: Surroundings, logger: Logger
    ) {
        (self.accounts, self.store, self.transport) = (accounts, store, transport)
        (self.surroundings, self.logger) = (surroundings, logger)
    }

    /// A service as one person may use it.
    struct Entry {
        let record: UserServiceRecord
        let description: ServiceDescription
        let person: Person

        var name: String { description.engineName }
        var link: String { record.link }
        var wasUsed: Bool { record.usedAt != nil }

        /// nil where it says nowhere how tokens are had.
        func server() -> ServiceServer? {
            description.tokenEndpoint.map {
                ServiceServer(
                    token: $0, revocation: description.revocationEndpoint, clientID: person.clientID)
            }
        }
    }

    /// Those that speak all `protocols`, used ones first.
    func services(speaking protocols: [String]) throws -> [Entry] {
        try entries().filter { $0.description.speaks(protocols) }
    }

    func find(_ link: String, of account: AccountID) throws -> Entry? {
        guard let person = accounts.person(of: account),
            let record = try store.read({ try $0.services.find(link, of: account) })
        else { return nil }
        return entry(record, person)
    }

    private func entries() throws -> [Entry] {
        let people = accounts.people
        return try store.read { try $0.services.all() }.compactMap { record in
            people.first { $0.account.id == record.account }.flatMap { entry(record, $0) }
        }
    }

    private func entry(_ record: UserServiceRecord, _ person: Person) -> Entry? {
        guard let description = try? ServiceDescription(record.document) else { return nil }
        return Entry(record: record, description: description, person: person)
    }

    func noteUse(of entry: Entry) throws {
        try store.write {
            try $0.services.setUsed(entry.link, of: entry.record.account, at: surroundings.now())
        }
    }
}

/// Looking.
extension ServiceDirectory {
    /// Asks the configured discovery for services that speak all `protocols`. Where it is away, what is known has to
    /// do.
    func look(for protocols: [String]) async throws {
        guard let discovery, let person = accounts.people.first else { return }
        do {
            let body = try await post(protocols, to: discovery, for: person)
            for document in try DiscoveredServices.documents(in: body) {
                keep(document, toldBy: discovery)
            }
        } catch let failure as LookFailure {
            logger.notice("no discovery of services", metadata: ["reason": "\(failure)"])
        } catch let problem as ServiceDescription.Unreadable {
            logger.notice("no discovery of services", metadata: ["reason": "\(problem)"])
        }
    }

    /// A discovery elsewhere has no say about this machine: a token would go to whoever listens here.
    private func keep(_ document: [UInt8], toldBy discovery: EndpointURL) {
        let link = (try? ServiceDescription(document))?.engineLink
        guard discovery.isLoopback || link?.isLoopback != true else {
            return logger.notice("a service is left out", metadata: ["reason": "it would be on this machine"])
        }
        keep(document, from: nil, etag: nil, of: accounts.people)
    }

    /// What a host says of itself: by its `services.txt`, else its `rsd.json`; or one document. Returns the links of
    /// the services found, for these people.
    func look(at address: EndpointURL, for people: [Person]) async throws -> [String] {
        guard let first = people.first else { return [] }
        if address.isDocument { return try await [document(at: address, for: people)] }
        guard let list = try await list(at: address, for: first) else {
            return try await [document(at: address.below("rsd.json"), for: people)]
        }
        var found: [String] = []
        var failure: (any Error)?
        for link in list.links {
            do { found.append(try await document(at: link, for: people)) } catch { failure = error }
        }
        if found.isEmpty, let failure { throw failure }
        return found
    }

    /// A document that is old is looked at again; it is used as it was where that fails.
    func refresh(_ entry: Entry) async throws -> Entry {
        let age = surroundings.now() - entry.record.fetchedAt
        guard age < .zero || age > Self.freshness, let source = entry.record.source,
            let address = try? EndpointURL(source)
        else { return entry }
        do { _ = try await document(at: address, for: [entry.person]) } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.info("using what a service said before", metadata: ["reason": "\(error)"])
        }
        return try find(entry.link, of: entry.record.account) ?? entry
    }

    private func list(at address: EndpointURL, for person: Person) async throws -> ServiceList? {
        let answer = try await get(address.below("services.txt"), etag: nil, for: person)
        guard answer.status == 200 else { return nil }
        do { return try ServiceList(answer.body, at: address) } catch ServiceList.Unreadable.page {
            // Some servers answer 200 with a page of theirs where they have no such file.
            return nil
        }
    }

    /// Fetches one document and keeps it for these people. Returns the service's link.
    private func document(at address: EndpointURL, for people: [Person]) async throws -> String {
        guard let first = people.first else { throw LookFailure.nobody }
        let known = try store.read { try $0.services.all(of: first.account.id) }
            .first { $0.source == address.description }
        let answer = try await get(address, etag: known?.etag, for: first)
        switch (answer.status, known) {
        // Without an ETag the request had no condition, and 304 answers something else.
        case (304, let known?) where known.etag != nil:
            keep(known.document, from: address, etag: known.etag, of: people)
            return known.link
        case (200, _):
            let description = try ServiceDescription(answer.body)
            // What a host says of another one would have tokens for that one made by what this one wrote.
            guard description.isFrom(address) else { throw LookFailure.foreign(address.origin) }
            keep(answer.body, from: address, etag: answer.etag, of: people)
            return description.engineLink.description
        case (let status, _): throw LookFailure.answered(address.origin, status)
        }
    }

    /// What cannot be read, or says nowhere how tokens are had, is not kept.
    private func keep(
        _ document: [UInt8], from source: EndpointURL?, etag: String?, of people: [Person]
    ) {
        do {
            let description = try ServiceDescription(document)
            guard let target = description.tokenEndpoint else { throw LookFailure.noTokens }
            for (name, reason) in description.refusals {
                logger.notice(
                    "a protocol is left out",
                    metadata: [
                        "service": "\(description.host)", "protocol": "\(name)", "reason": "\(reason)",
                    ])
            }
            let now = surroundings.now()
            try store.write { transaction in
                for person in people {
                    let record = UserServiceRecord(
                        account: person.account.id, link: description.engineLink.description,
                        name: description.engineName, document: document, tokenTarget: target.description,
                        source: source?.description, etag: etag, fetchedAt: now)
                    try transaction.services.save(record, protocols: Array(description.apis.keys))
                }
            }
        } catch {
            logger.notice("a service is left out", metadata: ["reason": "\(error)"])
        }
    }
}

/// Why no service was found.
enum LookFailure: Error, CustomStringConvertible {
    case nobody
    case noTokens
    case foreign(String)
    case answered(String, Int)
    case unanswered(String)

    var description: String {
        switch self {
        case .nobody: "nobody is signed in"
        case .noTokens: "it says nowhere how tokens are had: org.ietf.oauth2 is missing"
        case .foreign(let origin): "\(origin) describes a service at another host"
        case .answered(let origin, let status): "\(origin) answered \(status)"
        case .unanswered(let reason): reason
        }
    }
}

/// The requests.
extension ServiceDirectory {
    private struct Answer {
        let status: Int
        let body: [UInt8]
        let etag: String?
    }

    private func get(_ address: EndpointURL, etag: String?, for person: Person) async throws -> Answer {
        var headers = HTTPHeaders([
            (HeaderName.accept, "application/json, application/yaml;q=0.9, text/plain;q=0.8")
        ])
        if let etag { headers.append("If-None-Match", etag) }
        return try await send(HTTPRequest(address.description, headers: headers), for: person, address)
    }

    private func post(
        _ protocols: [String], to address: EndpointURL, for person: Person
    ) async throws -> [UInt8] {
        let headers = HTTPHeaders([
            (HeaderName.accept, "application/json"), (HeaderName.contentType, "application/json"),
        ])
        let request = HTTPRequest(
            "POST", address.description, headers: headers, body: try JSON.encode(protocols))
        let answer = try await send(request, for: person, address)
        guard answer.status == 200 else { throw LookFailure.answered(address.origin, answer.status) }
        return answer.body
    }

    private func send(
        _ request: HTTPRequest, for person: Person, _ address: EndpointURL
    ) async throws -> Answer {
        var request = request
        // One byte more than a document may have: a larger one is refused, and not cut.
        request.responseLimit = ServiceDescription.sizeLimit + 1
        var policy = person.account.tls(forService: address.origin)
        if address.origin == discovery?.origin { policy.reach = .all }
        let connections = policy
        let sent = request
        do {
            let response = try await surroundings.within(Self.patience) { [transport] in
                try await transport.send(sent, policy: connections)
            }
            guard let response else { throw LookFailure.unanswered("\(address.origin) does not answer") }
            let etag = response.headers["ETag"].flatMap { $0.utf8.count <= 256 ? $0 : nil }
            return Answer(status: response.status, body: response.body, etag: etag)
        } catch let error as HTTPError {
            if error.code == .cancelled { throw CancellationError() }
            throw LookFailure.unanswered(error.sentence)
        }
    }
}

extension EndpointURL {
    fileprivate var isLoopback: Bool { (try? APIAddress(origin))?.isLoopback == true }

    /// Names one document, and not a host that may have many.
    fileprivate var isDocument: Bool {
        [".json", ".yaml", ".yml"].contains { description.hasSuffix($0) }
    }

    fileprivate func below(_ name: String) throws -> EndpointURL {
        try EndpointURL(description.hasSuffix("/") ? description + name : description + "/" + name)
    }
}
