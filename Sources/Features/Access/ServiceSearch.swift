import Accounts
import CutieAPI
import OAuth
import RSD2

/// Finds the service descriptions that a host publishes, in all forms of the RSD2 specification. Stores
/// nothing.
struct ServiceSearch {
    let client: ServiceClient
    /// The user whose TLS settings apply.
    let person: ServiceUser
    /// Returns the entity tag of the stored copy of a document; `nil` if there is none.
    let etag: (EndpointURL) throws -> String?

    struct Document {
        let address: EndpointURL
        /// The downloaded document; `nil` if the stored copy is still current.
        let content: (bytes: [UInt8], description: ServiceDescription)?
        let etag: String?
        /// The time for which the document may be used without another request, in seconds.
        let freshness: Int
    }

    struct SearchResult {
        var documents: [Document] = []
        var failures: [DiscoveryFailure] = []
        var offersXML = false
    }

    private enum SearchLocation {
        /// The list `services.txt`.
        case list(EndpointURL)
        case page(EndpointURL)
        /// A document with a conventional name.
        case document(EndpointURL)
    }

    /// Tries the locations at which a host may describe its services. Stops at the first location that has a
    /// description.
    func search(at address: EndpointURL) async throws -> SearchResult {
        if address.namesDocument { return try await fetchDocuments(at: [address]) }
        var result = SearchResult()
        for place in try Self.makeSearchLocations(under: address) {
            let found = try await search(at: place)
            guard found.documents.isEmpty else {
                // Also return the unusable links of earlier locations, so that the user learns which services
                // are missing.
                let skipped = result.failures.filter(\.isUnusableLink)
                return SearchResult(documents: found.documents, failures: skipped + found.failures)
            }
            // A location without a description is not a failure, because a host need not use every location.
            result.failures += found.failures.filter { !$0.isMissing }
            result.offersXML = result.offersXML || found.offersXML
        }
        if result.offersXML { result.failures.insert(.onlyXML(address.host), at: 0) }
        return result
    }

    private static func makeSearchLocations(under address: EndpointURL) throws -> [SearchLocation] {
        let root = try EndpointURL(address.origin + "/")
        // Do not append a path to an address with a query, because the query identifies one page.
        let isQuery = address.description.contains("?")
        var places: [SearchLocation] = isQuery ? [] : [.list(try address.appendingPath("services.txt"))]
        places.append(.page(address))
        if address.description != root.description, address.description + "/" != root.description {
            places += [.list(try root.appendingPath("services.txt")), .page(root)]
        }
        let base = isQuery ? root : address
        return try places + ["rsd.json", "rsd.yaml"].map { .document(try base.appendingPath($0)) }
    }

    private func search(at location: SearchLocation) async throws -> SearchResult {
        do {
            switch location {
            case .document(let address): return try await fetchDocuments(at: [address])
            case .list(let address):
                return try await fetchListedDocuments(at: address) { try ServiceList($0, at: $1) }
            case .page(let address):
                return try await fetchListedDocuments(at: address) { try ServiceList(page: $0, at: $1) }
            }
        } catch let failure as DiscoveryFailure {
            return SearchResult(failures: [failure])
        }
    }

    /// Fetches a list or a page, and the documents to which its links refer. If there are no links, the
    /// response may itself be a description.
    private func fetchListedDocuments(
        at address: EndpointURL, _ parse: ([UInt8], EndpointURL) throws -> ServiceList
    ) async throws -> SearchResult {
        let answer = try await client.get(address, for: person)
        guard answer.status == 200 else { throw DiscoveryFailure.answered(address.origin, answer.status) }
        let list = Swift.Result { try parse(answer.body, answer.address) }
        let failures = ((try? list.get())?.problems ?? []).map {
            DiscoveryFailure.unusableLink(address.host, $0)
        }
        if case .success(let list) = list, !list.links.isEmpty {
            var result = try await fetchDocuments(at: list.links, freshnessSeconds: list.freshness)
            result.failures += failures
            return result
        }
        guard let description = try? ServiceDescription(answer.body, at: address) else {
            do {
                return SearchResult(failures: failures, offersXML: try list.get().offersXML)
            } catch ServiceList
                .ParseError.page
            {
                // Treat the file as missing: some servers respond with 200 and a page instead of a 404.
                return SearchResult()
            } catch let problem as ServiceList.ParseError {
                throw DiscoveryFailure.unreadableList(address.host, problem)
            }
        }
        return SearchResult(documents: [
            Document(
                address: address, content: (answer.body, description), etag: answer.etag,
                freshness: ServiceList.defaultFreshness)
        ])
    }

    /// Fetches each document. A failure does not affect the other documents.
    private func fetchDocuments(
        at addresses: [EndpointURL], freshnessSeconds: Int = ServiceList.defaultFreshness
    ) async throws -> SearchResult {
        var result = SearchResult()
        for address in addresses {
            do {
                result.documents.append(
                    try await fetchDocument(at: address, freshnessSeconds: freshnessSeconds))
            } catch let failure
                as DiscoveryFailure
            {
                result.failures.append(failure)
            }
        }
        return result
    }

    func fetchDocument(at address: EndpointURL, freshnessSeconds: Int) async throws -> Document {
        let known = try etag(address)
        let answer = try await client.get(address, etag: known, for: person)
        switch answer.status {
        case 304 where known != nil:
            return Document(address: address, content: nil, etag: known, freshness: freshnessSeconds)
        case 200:
            do {
                let description = try ServiceDescription(answer.body, at: address)
                return Document(
                    address: address, content: (answer.body, description), etag: answer.etag,
                    freshness: freshnessSeconds)
            } catch let problem { throw DiscoveryFailure.unreadable(address.host, problem) }
        default: throw DiscoveryFailure.answered(address.origin, answer.status)
        }
    }
}

extension EndpointURL {
    /// Whether the address names a single document, not a host that may publish several documents.
    fileprivate var namesDocument: Bool {
        [".json", ".yaml", ".yml"].contains { description.hasSuffix($0) }
    }

    fileprivate func appendingPath(_ name: String) throws -> EndpointURL {
        try EndpointURL(description.hasSuffix("/") ? description + name : description + "/" + name)
    }
}
