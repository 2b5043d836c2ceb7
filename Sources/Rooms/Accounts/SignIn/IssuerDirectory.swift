import Config
import CutieAPI
import HTTP
import Log
import Logging
import OAuth
import Store

/// What the issuer of one account offers: fetched, kept with its date, and used stale while the issuer is away.
final class IssuerDirectory {
    /// So long it is not asked again.
    private static let freshness: Duration = .seconds(86_400)

    let issuer: Issuer
    private let account: Account
    private let setting: Setting<Kept>
    private let transport: Transport
    private let store: Store
    private let surroundings: Surroundings
    private let logger: Logger
    private var known: Kept?
    private var isDoubted = false

    private struct Kept: Codable {
        let metadata: IssuerMetadata
        let fetchedAt: Timestamp
    }

    init(
        of account: Account, transport: Transport, store: Store, surroundings: Surroundings, logger: Logger
    ) throws {
        (self.account, self.transport, self.store) = (account, transport, store)
        (self.surroundings, self.logger) = (surroundings, logger)
        let named = account.configuration.signIn.issuer.flatMap { try? Issuer($0) }
        let issuer = named ?? Issuer(ofAPIAt: account.address)
        self.issuer = issuer
        let setting = Setting<Kept>("issuer-metadata", of: account.id)
        self.setting = setting
        let kept = try store.read { try $0.settings.value(of: setting) }
        // Of another issuer than is configured by now, it says nothing.
        known = kept.flatMap { issuer.names($0.metadata.issuer) ? $0 : nil }
    }

    /// As far as it is known without asking.
    var cached: IssuerMetadata? { known?.metadata }

    /// The next one who asks has it fetched.
    func doubt() { isDoubted = true }

    func metadata() async throws(APIFailure) -> IssuerMetadata {
        if let known, !isDoubted, isFresh(known) { return known.metadata }
        do throws(APIFailure) {
            let (metadata, isBuiltIn) = try await fetch()
            let kept = Kept(metadata: metadata, fetchedAt: surroundings.now())
            (known, isDoubted) = (kept, false)
            // What the issuer did not say holds for this run only: it may be configured by then.
            if isBuiltIn { return metadata }
            do {
                try store.write { try $0.settings.set(setting, to: kept) }
            } catch {
                logger.warning("the issuer's metadata is not kept", metadata: ["reason": "\(error)"])
            }
            return metadata
        } catch {
            if case .cancelled = error { throw error }
            guard let known else { throw error }
            logger.info(
                "using what the issuer said before", metadata: ["reason": "\(error.sentence)"])
            return known.metadata
        }
    }

    /// A clock that was set back says nothing about its age.
    private func isFresh(_ kept: Kept) -> Bool {
        let age = surroundings.now() - kept.fetchedAt
        return age >= .zero && age < Self.freshness
    }

    /// The first place that has it. What is built in holds only where the issuer is Cuti-E's own by configuration,
    /// and says clearly that it has none.
    private func fetch() async throws(APIFailure) -> (IssuerMetadata, isBuiltIn: Bool) {
        for address in issuer.metadataAddresses {
            if let body = try await body(at: address) {
                do { return (try IssuerMetadata(json: body, of: issuer), false) } catch {
                    if case .unreadable = error { throw .retry("\(error)", ambiguous: false) }
                    throw .fatal("\(error)")
                }
            }
        }
        guard account.configuration.signIn.issuer == nil,
            let metadata = IssuerMetadata.cutiE(at: account.address)
        else { throw .fatal("\(issuer) says nothing about itself; see `issuer` in the configuration") }
        return (metadata, true)
    }

    /// nil: 404. Throws where that is not known.
    private func body(at address: String) async throws(APIFailure) -> [UInt8]? {
        var request = HTTPRequest(address, headers: HTTPHeaders([(HeaderName.accept, "application/json")]))
        request.responseLimit = IssuerMetadata.sizeLimit
        let response: HTTPResponse
        do {
            let policy = account.tls(for: (try? APIAddress(issuer.description))?.origin ?? "")
            response = try await transport.send(request, policy: policy)
        } catch { throw APIFailure(error, hiding: Redaction()) }
        switch response.status {
        case 200: return response.body
        case 404: return nil
        default: throw .retry("the issuer answered \(response.status)", ambiguous: false)
        }
    }
}
