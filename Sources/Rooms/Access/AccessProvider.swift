package import AccessAPI
package import AccessServer
package import Accounts
import ControlAPI
import CutieAPI
package import HTTP
package import Identity
package import Log
package import Logging
import OAuth
import RSD2
package import Screen
import Store

/// Gives apps access to services of the person's institution, as far as the person allows it: the access provider.
package final class AccessProvider {
    /// `access.remember`: so long a yes holds.
    package var remember: Duration = .seconds(30 * 86_400)
    package let directory: ServiceDirectory
    let accounts: Accounts
    let book: GrantBook
    let tokens: TokenTree
    let authorization: ServiceAuthorization
    let ingest: Ingest
    let transport: Transport
    let surroundings: Surroundings
    let logger: Logger
    private let questions: Questions
    /// Moves when tokens are to be revoked or grants are others.
    let work = Signal()
    /// The person has so long to answer.
    private static let patience: Duration = .seconds(120)
    private static let strangersLife: Duration = .seconds(3600)

    package init(
        ingest: Ingest, accounts: Accounts, questions: Questions, secrets: SecretStore,
        transport: Transport, surroundings: Surroundings, logger: Logger
    ) {
        (self.ingest, self.accounts, self.questions) = (ingest, accounts, questions)
        (self.transport, self.surroundings, self.logger) = (transport, surroundings, logger)
        directory = ServiceDirectory(
            accounts: accounts, store: ingest.store, transport: transport, surroundings: surroundings,
            logger: logger)
        book = GrantBook(ingest: ingest, surroundings: surroundings)
        tokens = TokenTree(store: ingest.store, secrets: secrets)
        authorization = ServiceAuthorization(
            tokens: tokens, secrets: secrets, transport: transport, surroundings: surroundings)
        work.follow(accounts.changes)
        work.follow(tokens.changes)
    }
}

extension AccessProvider: ServiceAccessDelegate {
    package func authorizeProtocols(
        _ call: AuthorizeProtocols, for app: AppIdentity
    ) async throws -> AuthorizeProtocols.Reply {
        let asked = try Asked(call, of: app)
        if app.isLasting, let grant = try book.holding(for: asked.app, asked.protocols) {
            let services = try await services(of: grant, asked)
            if !services.isEmpty { return AuthorizeProtocols.Reply(services: services) }
        }
        guard try !book.wasRefused(asked.app, asked.protocols) else {
            return AuthorizeProtocols.Reply(services: [])
        }
        return AuthorizeProtocols.Reply(services: try await askAndGive(asked, isLasting: app.isLasting))
    }

    package func revokeToken(
        _ call: AccessAPI.RevokeToken, for app: AppIdentity
    ) async throws -> AccessAPI.RevokeToken.Reply {
        guard app.isLasting else { return AccessAPI.RevokeToken.Reply(revoked: false) }
        var isRevoked = false
        for grant in try book.holding(for: app.description, client: call.clientId) {
            let gone = grant.services.filter { call.engineLink == nil || $0.link == call.engineLink }
            guard !gone.isEmpty else { continue }
            try revoke(gone, of: grant)
            isRevoked = true
        }
        return AccessAPI.RevokeToken.Reply(revoked: isRevoked)
    }
}

/// A request of an app, checked.
private struct Asked {
    let app: GrantRecord.App
    let program: String
    let protocols: [String]
    let isSingle: Bool
    /// The app has a token that does not do any more.
    let isRenewal: Bool

    init(_ call: AuthorizeProtocols, of app: AppIdentity) throws {
        for (parameter, text) in [
            ("clientId", call.clientId), ("appId", call.appId), ("appName", call.appName),
        ] {
            guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= 256, text.isPlain else {
                throw AccessAPI.InvalidArgument(
                    parameter: parameter, reason: "it must be 1 to 256 bytes on one line")
            }
        }
        for (index, name) in call.protocols.enumerated() where !name.isPlain {
            throw AccessAPI.InvalidArgument(
                parameter: "protocols[\(index)]", reason: "it has characters that nobody sees")
        }
        self.app = GrantRecord.App(
            id: call.appId, clientID: call.clientId, name: call.appName, identity: app.description,
            isVerified: app.isVerified)
        (program, isSingle, isRenewal) = (app.name, call.single == true, call.token != nil)
        // Asked for twice, or in another order, it is the same.
        protocols = Set(call.protocols).subtracting([ServiceDescription.oauth2]).sorted()
    }
}

extension String {
    /// Nothing in it could make a question read as another one.
    fileprivate var isPlain: Bool {
        !unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
}

/// The person decides.
extension AccessProvider {
    private func askAndGive(_ asked: Asked, isLasting: Bool) async throws -> [AuthorizedService] {
        try await directory.look(for: asked.protocols)
        let found = try directory.services(speaking: asked.protocols)
        // Where the person has no such service, there is nothing to ask.
        guard !found.isEmpty || accounts.people.isEmpty else { return [] }
        let id = try book.ask(asked.app, asked.protocols)
        do {
            switch try await questions.decision(on: .services(request(asked, found)), within: Self.patience) {
            case .allowed(let chosen) where !chosen.isEmpty:
                let entries = try chosen.compactMap(directory.entry(of:))
                return try await give(entries, asked, id, isLasting: isLasting)
            // Who was told to sign in first has refused nothing.
            case .allowed: try book.refuse(id, byPerson: false)
            case .refused: try book.refuse(id, byPerson: !found.isEmpty)
            case nil: try book.refuse(id, byPerson: false)
            }
            return []
        } catch {
            if try book.isOpen(id) { try book.refuse(id, byPerson: false) }
            throw error
        }
    }

    private func request(_ asked: Asked, _ found: [ServiceDirectory.Entry]) -> ServicesRequest {
        ServicesRequest(
            app: asked.app.identity, name: asked.app.name, program: asked.program,
            isVerified: asked.app.isVerified, protocols: asked.protocols,
            services: found.map(ServiceChoice.init(_:)), isSingle: asked.isSingle,
            obstacle: found.isEmpty ? .nobodySignedIn : nil)
    }

    private func give(
        _ chosen: [ServiceDirectory.Entry], _ asked: Asked, _ id: Int64, isLasting: Bool
    ) async throws -> [AuthorizedService] {
        // What nothing tells from others is asked about each time; its tokens end soon.
        let life = isLasting ? remember : min(remember, Self.strangersLife)
        // Before the first token is fetched: killed in between, the person need not be asked again.
        try book.grant(id, chosen.map(GrantRecord.Service.init(_:)), life: life)
        let end = surroundings.now() + life
        let given = try await authorize(chosen, asked, by: id, until: end)
        let links = Set(given.map(\.entry.link))
        try book.revoke(id) { !links.contains($0.link) }
        work.notify()
        return given.map(\.service)
    }
}

/// Tokens for what is allowed.
extension AccessProvider {
    /// What a grant that holds gives, without asking.
    private func services(of grant: GrantRecord, _ asked: Asked) async throws -> [AuthorizedService] {
        var entries: [ServiceDirectory.Entry] = []
        for service in grant.services {
            guard let entry = try directory.find(service.link, of: service.account) else { continue }
            let fresh = try await directory.refresh(entry)
            if fresh.description.speaks(asked.protocols) { entries.append(fresh) }
        }
        if asked.isSingle { entries = Array(entries.prefix(1)) }
        return try await authorize(entries, asked, by: grant.id, until: grant.expiresAt).map(\.service)
    }

    /// Those that give a token; the others leave the list. `id`: the grant that allows it. `end`: no token is told to
    /// live longer.
    private func authorize(
        _ entries: [ServiceDirectory.Entry], _ asked: Asked, by id: Int64, until end: Timestamp?
    ) async throws -> [(entry: ServiceDirectory.Entry, service: AuthorizedService)] {
        let app = ServiceAuthorization.App(
            id: asked.app.id, clientID: asked.app.clientID, identity: asked.app.identity)
        var given: [(entry: ServiceDirectory.Entry, service: AuthorizedService)] = []
        for entry in entries {
            do {
                let service = GrantRecord.Service(entry)
                let allowed = try book.protocols(of: asked.app, at: service).union(asked.protocols)
                let token = try await authorization.token(
                    for: app, at: entry, asked.protocols, isRenewal: asked.isRenewal)
                guard try book.allows(service, by: id),
                    try book.protocols(of: asked.app, at: service).isSuperset(of: allowed)
                else {
                    // What was taken back meanwhile may be in the token's scope.
                    try revokeTokens(of: asked.app, at: service, goodFor: allowed)
                    continue
                }
                try directory.noteUse(of: entry)
                given.append((entry, AuthorizedService(entry, asked.protocols, token, until: end)))
            } catch let failure as AccessFailure {
                logger.notice(
                    "a service gives an app nothing",
                    metadata: [
                        "service": "\(entry.description.host)", "app": "\(asked.app.identity)",
                        "reason": "\(failure)",
                    ])
            }
        }
        return given
    }
}

extension ServiceDirectory {
    fileprivate func entry(of choice: ServiceChoice) throws -> Entry? {
        try services(speaking: []).first {
            $0.link == choice.link && $0.person.account.name == choice.account
        }
    }
}

extension ServiceChoice {
    fileprivate init(_ entry: ServiceDirectory.Entry) {
        self.init(
            name: entry.name, link: entry.link, host: entry.description.host,
            account: entry.person.account.name, used: entry.wasUsed)
    }
}

extension GrantRecord.Service {
    fileprivate init(_ entry: ServiceDirectory.Entry) {
        self.init(account: entry.record.account, link: entry.link, name: entry.name)
    }
}

extension AuthorizedService {
    /// The RSD2 of a service with nothing but what was asked for, and the app's token.
    fileprivate init(
        _ entry: ServiceDirectory.Entry, _ protocols: [String], _ token: TokenTree.Opened,
        until end: Timestamp?
    ) {
        let description = entry.description.filtered(to: protocols)
        let ends = [token.record.expiresAt, end].compactMap(\.self)
        self.init(
            engineName: description.engineName, engineLink: description.engineLink.description,
            engineId: description.engineId, homePageLink: description.homePageLink,
            homePageIcon: description.homePageIcon,
            apis: description.apis.mapValues {
                ServiceAPI(
                    apiLink: $0.link.description, apiVersion: $0.version, settings: $0.settings,
                    notes: $0.notes)
            },
            authorization: ServiceAuthorizationView(
                accessToken: token.token.rawValue, tokenType: "Bearer",
                expiresAt: ends.min().map(\.milliseconds), scope: token.record.scope))
    }
}

private typealias ServiceAuthorizationView = AccessAPI.ServiceAuthorization
