import Config
import CutieAPI
package import Domain
import EventLog
import FeedPolicy
import FoundationEssentials
import HTTP
import Logging
package import Reasons
import Store

/// A running account: its feed, its outbox, and the services for its kind of account.
package final class AccountUnit {
    package let account: Account
    package let profile: Profile
    package let feed: Feed
    package let outbox: Outbox
    /// `nil` if this is not a device account.
    package let device: DeviceServices?
    /// `nil` for a device account, which has no sign-in.
    package let signIn: SignInService?
    /// The store of the users who have signed in to the account.
    let signedInUserStore: SignedInUserStore
    private let work: AccountTasks
    let ingest: Ingest
    let runtime: RuntimeEnvironment
    let logger: Logger

    /// The timeout of an API call that is not queued in the outbox. After the timeout, the caller receives an
    /// `offline` error.
    package static let responseTimeout: Duration = .seconds(15)

    init(_ configuration: AccountConfiguration, with dependencies: AccountDependencies) throws {
        let (ingest, runtime) = (dependencies.ingest, dependencies.runtime)
        let logger = dependencies.logger
        let account = try Account(configuration, with: dependencies)
        work = dependencies.taskRegistry.tasks(of: account.id)
        let profile = try Profile(account, ingest: ingest)
        let credentials = try account.device.map {
            try DeviceCredentials(of: $0, account: account, dependencies: dependencies)
        }
        let signIn = credentials == nil ? try SignInService(of: account, with: dependencies) : nil
        let given = account.device == nil ? dependencies.authorizer?(account) : nil
        guard let authorizer: any Authorizer = given ?? credentials?.registration ?? signIn?.authorizer
        else {
            preconditionFailure("an account has either a device or a sign-in")
        }
        let client = APIClient(
            account: account, profile: profile, httpClient: dependencies.httpClient,
            authorizer: authorizer, attestor: credentials?.attestor, clocks: ingest.clocks,
            runtime: runtime, logger: logger.withAccountName(of: account))
        let outbox = Outbox(
            account: account, client: client, authorizer: authorizer, ingest: ingest,
            outcomes: dependencies.outcomes, runtime: runtime, logger: logger,
            onFailures: dependencies.onPendingReplies)
        let device = credentials.map { credentials in
            DeviceServices(
                registration: credentials.registration, attestor: credentials.attestor,
                push: PushRegistrar(
                    account: account, device: credentials.device, profile: profile, client: client,
                    authorizer: authorizer, store: ingest.store, runtime: runtime, logger: logger))
        }
        feed = Feed(
            account: account, client: client, authorizer: authorizer, ingest: ingest,
            runtime: runtime, logger: logger, onSynced: dependencies.onPendingReplies,
            onConnected: { again in
                if again { try outbox.sendAfterReconnect() }
                device?.push.registerAfterReconnect()
            })
        outbox.onRefused = { [weak feed] in feed?.reconnect(because: .refusal) }
        let signedInUserStore = SignedInUserStore(of: account, ingest: ingest)
        if let session = signIn?.session, given == nil {
            try signedInUserStore.restoreSignedInUser(session.signedInUser)
            // Reconnect after a sign-in or sign-out, because the credentials have changed.
            session.onChange = { [weak feed] in feed?.reconnect(because: .user) }
        }
        self.signedInUserStore = signedInUserStore
        (self.account, self.profile, self.outbox, self.device) = (account, profile, outbox, device)
        self.signIn = signIn
        (self.ingest, self.runtime, self.logger) = (ingest, runtime, logger)
    }

    /// The requests that hand the account over or link devices. These requests must not be cancelled: a token
    /// can be used only once, and the server changes the group as soon as it receives the request.
    package var linking: UninterruptedWork { work.linking }

    /// Returns the services of the device. Throws `invalidArgument` for other kinds of accounts.
    package func requireDevice() throws(ServiceError) -> DeviceServices {
        guard let device else { throw .noDevice }
        return device
    }

    /// Returns the sign-in service. Throws `invalidArgument` for a device account.
    package func requireSignIn() throws(ServiceError) -> SignInService {
        guard let signIn else { throw .noSignIn }
        return signIn
    }

    /// The connection state. An identity account has no connection, so its state depends on its sign-in.
    package var state: AccountState {
        guard !account.hasFeed else { return feed.status.state }
        return authentication == .authenticated ? .connected : .stopped
    }

    /// The reason for the state; `nil` if there is none.
    package var reason: Reason? { account.hasFeed ? feed.status.reason : signIn?.session.obstacle }

    /// Whether the API accepts the credentials of the account.
    package var authentication: AuthenticationState {
        if let signIn { return signIn.session.authentication }
        if feed.status.isRefused { return .unauthenticated }
        return feed.status.state == .connected ? .authenticated : feed.authorizer.authentication
    }
}

extension Logger {
    fileprivate func withAccountName(of account: Account) -> Logger {
        var logger = self
        logger[metadataKey: "account"] = "\(account.name)"
        return logger
    }
}

/// The services that only a device account has.
package struct DeviceServices {
    package let registration: DeviceAuthorizer
    package let attestor: Attestor
    package let push: PushRegistrar
}

extension AccountUnit {
    /// The time limit for deliveries and other requests in flight when the unit stops.
    private static let deliveryLimit: Duration = .seconds(5)

    /// Runs until `stop` is notified, and then until requests in flight have ended, at most for
    /// `deliveryLimit`.
    func runUntilStopped(by stop: ChangeSignal) async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await runWithOutbox(until: stop)) } catch { result = .failure(error) }
        await work.waitForCompletion(within: Self.deliveryLimit, runtime: runtime)
        try result.get()
    }

    private func runWithOutbox(until stop: ChangeSignal) async throws {
        try await race(
            { [self] in try await runRetryingStoreErrors(operation: "outbox") { try await outbox.run() } },
            { [self] in
                try await runWithoutOutbox(until: stop)
                // Do not cancel deliveries: the server may have received a cancelled delivery, and the daemon
                // would send the message again.
                try await outbox.drain(within: Self.deliveryLimit)
            })
    }

    private func runWithoutOutbox(until stop: ChangeSignal) async throws {
        var lives: [@MainActor () async throws -> Void] = [
            { [self] in
                try await runRetryingStoreErrors(operation: "registration") {
                    try await feed.authorizer.runPeriodicWork(using: feed.client)
                }
            },
            { try await stop.wait(past: 0) },
        ]
        if account.hasFeed {
            lives.append { [self] in
                try await runRetryingStoreErrors(operation: "feed") { try await feed.run() }
            }
        }
        if let device {
            lives.append { [self] in
                try await runRetryingStoreErrors(operation: "inbox") {
                    try await feed.monitorInboxMembership()
                }
            }
            lives.append { [self] in
                try await runRetryingStoreErrors(operation: "attestation") {
                    try await runAttestor(device.attestor)
                }
            }
            lives.append { [self] in
                try await runRetryingStoreErrors(operation: "push") { try await device.push.run() }
            }
        }
        try await race(lives)
    }

    private func runAttestor(_ attestor: Attestor) async throws {
        try await attestor.runReconciliation(
            using: feed.client, afterEachSignalOf: feed.connection.opened, runtime: runtime)
    }

    private func runRetryingStoreErrors(operation: String, _ body: @MainActor () async throws -> Void)
        async throws
    {
        try await retryOnStoreErrors(operation: operation, runtime: runtime, logger: logger, body)
    }

    /// Reconnects and sends all pending messages immediately, including messages with a Retry-After, because
    /// the user requested it.
    package func reconnect() throws {
        feed.reconnect(because: .user)
        try outbox.sendAllNow()
    }
}

struct AccountDependencies {
    let ingest: Ingest
    let httpClient: HTTPClient
    let machine: Machine
    let outcomes: OutboxResults
    let runtime: RuntimeEnvironment
    let logger: Logger
    /// Creates an authorizer that replaces the sign-in of an account, for tests; `nil` to use the sign-in.
    let authorizer: ((Account) -> any Authorizer)?
    let taskRegistry: AccountTaskRegistry
    /// Called when there may be replies or failures to announce: after the first sync, and if a message could
    /// not be sent.
    let onPendingReplies: () -> Void
}

/// The objects that authenticate a device at its API.
private struct DeviceCredentials {
    let device: Account.Device
    let registration: DeviceAuthorizer
    let attestor: Attestor

    init(of device: Account.Device, account: Account, dependencies: AccountDependencies) throws {
        let (machine, store) = (dependencies.machine, dependencies.ingest.store)
        self.device = device
        registration = DeviceAuthorizer(
            account: account, device: device, secrets: machine.secrets, store: store,
            runtime: dependencies.runtime, logger: dependencies.logger,
            work: dependencies.taskRegistry.tasks(of: account.id).registration)
        attestor = try Attestor(
            account: account, device: device.id, machine: machine, store: store,
            logger: dependencies.logger, work: dependencies.taskRegistry.tasks(of: account.id).attestation)
    }
}

extension Account {
    /// Loads the account of `configuration` from the store. Creates the account if it does not exist, and
    /// stores the device ID in the backup file.
    fileprivate init(_ configuration: AccountConfiguration, with dependencies: AccountDependencies) throws {
        let machine = dependencies.machine
        let record = try Ingest.findOrCreateAccount(
            name: configuration.name, appID: configuration.appID,
            apiURL: configuration.apiURL.description, kind: AccountRecord.Kind(configuration.kind),
            in: dependencies.ingest.store
        ) { machine.devices.deviceID(for: configuration) ?? DeviceID("device_" + UUID().uuidString) }
        let kind: Kind
        switch configuration.kind {
        case .device:
            // Only a corrupt row has no device ID. The API refuses an empty ID, and `cutied ctl status` shows
            // the refusal.
            let id = record.deviceID ?? DeviceID("")
            machine.devices.save(id, for: configuration, logger: dependencies.logger)
            kind = .device(
                Device(
                    appID: configuration.appID, id: id, facts: { machine.collectFacts(for: configuration) }))
        case .staff: kind = .staff(clientID: configuration.signIn.clientID)
        case .identity: kind = .identity(clientID: configuration.signIn.clientID)
        }
        self.init(id: record.id, configuration: configuration, kind: kind)
    }
}

extension AccountRecord.Kind {
    fileprivate init(_ kind: AccountConfiguration.Kind) {
        switch kind {
        case .device: self = .device
        case .staff: self = .staff
        case .identity: self = .identity
        }
    }
}
