import Config
import CutieAPI
import EventLog
import HTTP
import Logging
import OAuth
import Reasons
import Store

/// The metadata of one account's issuer, cached with the time of the fetch. Stale metadata is used while the
/// issuer is unreachable.
final class IssuerDirectory {
    /// The time for which cached metadata is used without a request.
    private static let freshness: Duration = .seconds(86_400)

    let issuer: Issuer
    private let account: Account
    private let setting: StoredSetting<CachedMetadata>
    private let httpClient: HTTPClient
    private let store: MessageStore
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private var known: CachedMetadata?
    private var needsRefresh = false

    private struct CachedMetadata: Codable {
        let metadata: IssuerMetadata
        let fetchedAt: Timestamp
    }

    init(
        of account: Account, httpClient: HTTPClient, store: MessageStore, runtime: RuntimeEnvironment,
        logger: Logger
    ) throws {
        (self.account, self.httpClient, self.store) = (account, httpClient, store)
        (self.runtime, self.logger) = (runtime, logger)
        let named = account.configuration.signIn.issuer.flatMap { try? Issuer($0) }
        let issuer = named ?? Issuer(ofAPIAt: account.address)
        self.issuer = issuer
        let setting = StoredSetting<CachedMetadata>("issuer-metadata", of: account.id)
        self.setting = setting
        let cached = try store.read { try $0.settings.fetchValue(of: setting) }
        // Ignore the metadata of a previously configured issuer.
        known = cached.flatMap { issuer.matchesMetadataIssuer($0.metadata.issuer) ? $0 : nil }
    }

    /// The metadata that is known without a request; `nil` if there is none.
    var cached: IssuerMetadata? { known?.metadata }

    /// Marks the metadata as outdated, so that the next use fetches it again.
    func invalidate() { needsRefresh = true }

    func fetchMetadata() async throws(APIFailure) -> IssuerMetadata {
        if let known, !needsRefresh, isFresh(known) { return known.metadata }
        do throws(APIFailure) {
            let (metadata, isBuiltIn) = try await fetchFreshMetadata()
            let cached = CachedMetadata(metadata: metadata, fetchedAt: runtime.now())
            (known, needsRefresh) = (cached, false)
            // Do not store built-in metadata, because the API may publish metadata later.
            if isBuiltIn { return metadata }
            do {
                try store.write { try $0.settings.setValue(of: setting, to: cached) }
            } catch {
                logger.warning("the issuer's metadata could not be stored", metadata: ["reason": "\(error)"])
            }
            return metadata
        } catch {
            if case .cancelled = error { throw error }
            guard let known else { throw error }
            logger.info(
                "using the stored metadata of the issuer", metadata: ["reason": "\(error.sentence)"])
            return known.metadata
        }
    }

    /// Returns whether the metadata is fresh. A negative age means that the clock was set back: the metadata
    /// may be old.
    private func isFresh(_ metadata: CachedMetadata) -> Bool {
        let age = runtime.now() - metadata.fetchedAt
        return age >= .zero && age < Self.freshness
    }

    /// Fetches the metadata from the first address that has any. Uses built-in metadata only if no issuer is
    /// configured and the API responds that it has no metadata.
    private func fetchFreshMetadata() async throws(APIFailure) -> (IssuerMetadata, isBuiltIn: Bool) {
        var addresses = issuer.metadataAddresses[...]
        while let address = addresses.popFirst() {
            guard let metadata = try await fetchMetadata(at: address) else { continue }
            return (try await addingOpenIDFields(to: metadata, from: addresses), false)
        }
        guard account.configuration.signIn.issuer == nil,
            let metadata = IssuerMetadata.makeDefault(forCutiEServerAt: account.address)
        else {
            let addresses = issuer.metadataAddresses.joined(separator: ", ")
            throw .fatal(
                Reason(.issuerWithoutMetadata, ["issuer": "\(issuer)", "addresses": addresses]))
        }
        return (metadata, true)
    }

    /// Adds the fields of the OpenID Connect discovery document that the RFC 8414 metadata lacks. Returns the
    /// metadata unchanged if the document cannot be used.
    private func addingOpenIDFields(
        to metadata: IssuerMetadata, from addresses: ArraySlice<String>
    ) async throws(APIFailure) -> IssuerMetadata {
        guard metadata.isPartial, let address = addresses.first else { return metadata }
        do throws(APIFailure) {
            guard let other = try await self.fetchMetadata(at: address) else { return metadata }
            return metadata.addingMissingOpenIDFields(from: other)
        } catch {
            if case .cancelled = error { throw error }
            logger.info(
                "the issuer's OpenID document is not used", metadata: ["reason": "\(error.sentence)"])
            return metadata
        }
    }

    /// Returns the metadata at `address`; `nil` if there is none.
    private func fetchMetadata(at address: String) async throws(APIFailure) -> IssuerMetadata? {
        guard let body = try await fetchBody(at: address) else { return nil }
        do { return try IssuerMetadata(json: body, of: issuer) } catch {
            if case .unreadable = error { throw .retry(error.reason, ambiguous: false) }
            throw .fatal(error.reason)
        }
    }

    /// Returns the document at `address`; `nil` after a 404. Throws after any other failure, because the
    /// document may exist.
    private func fetchBody(at address: String) async throws(APIFailure) -> [UInt8]? {
        var request = HTTPRequest(address, headers: HTTPHeaders([(HeaderName.accept, "application/json")]))
        request.responseLimit = IssuerMetadata.sizeLimit
        let response: HTTPResponse
        do {
            let policy = account.tlsPolicy(for: (try? APIAddress(issuer.description))?.origin ?? "")
            response = try await httpClient.send(request, policy: policy)
        } catch { throw APIFailure(error, hiding: Redaction(), from: .issuer) }
        switch response.status {
        case 200: return response.body
        case 404: return nil
        default:
            throw .retry(
                Reason(.issuerAnsweredAt, ["address": address, "status": String(response.status)]),
                ambiguous: false)
        }
    }
}
