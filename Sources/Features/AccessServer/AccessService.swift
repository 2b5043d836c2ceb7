import AccessAPI
package import Domain
import Reasons
package import Varlink
package import VarlinkSocket

/// The service at the access socket, for all apps of this user. Identifies the app and applies limits before
/// a call is decoded. The delegates execute the calls.
@MainActor package final class AccessService {
    let hostApps: any HostAppDelegate
    private let services: any ServiceAccessDelegate
    private let limits: AccessLimits
    private let clock: Clock
    private let isEnabled: @MainActor @Sendable () -> Bool
    let identify: @MainActor @Sendable (Peer) -> AppIdentity
    private var rateLimits: PeerRateLimits
    let requests: PendingRequests

    /// A clock that tests can replace.
    package struct Clock: Sendable {
        /// The monotonic clock.
        let uptime: @MainActor @Sendable () -> Duration
        let sleep: @MainActor @Sendable (Duration) async throws -> Void

        package init(
            uptime: @escaping @MainActor @Sendable () -> Duration,
            sleep: @escaping @MainActor @Sendable (Duration) async throws -> Void
        ) {
            (self.uptime, self.sleep) = (uptime, sleep)
        }
    }

    /// Creates the service. `isEnabled`: whether the user has enabled access for apps. `identify`: returns
    /// the app of a peer.
    package init(
        hostApps: any HostAppDelegate, services: any ServiceAccessDelegate,
        limits: AccessLimits = AccessLimits(), clock: Clock,
        isEnabled: @escaping @MainActor @Sendable () -> Bool = { true },
        identify: @escaping @MainActor @Sendable (Peer) -> AppIdentity = { AppIdentity(of: $0) }
    ) {
        (self.hostApps, self.services, self.limits) = (hostApps, services, limits)
        (self.clock, self.isEnabled, self.identify) = (clock, isEnabled, identify)
        rateLimits = PeerRateLimits(limits)
        requests = PendingRequests(limits)
    }

    /// The maximum number of connections in total and per process, and the time in which a client must
    /// complete a message.
    private static let serverLimits = ServerLimits(
        connections: 256, connectionsOfProcess: 16, unfinishedMessage: .seconds(10))

    /// Creates the server. `handleEvent`: receives events for the log. Throws if a method of the interface
    /// has no
    /// handler.
    package func makeServer(
        on listener: consuming ListeningSocket, information: ServiceInterface.GetInfo.Reply,
        onEvent handleEvent: @escaping @Sendable (ServerEvent) -> Void,
        onFailure failure: @escaping @Sendable (any Error) -> Void
    ) throws -> Server {
        Server(
            listener: listener, service: try makeService(information: information, onFailure: failure),
            peerPolicy: .sameUser,
            identifiesProcesses: true, limits: Self.serverLimits, onEvent: handleEvent)
    }

    /// Creates the service. `onFailure`: receives unexpected errors.
    package func makeService(
        information: ServiceInterface.GetInfo.Reply, onFailure: @escaping @Sendable (any Error) -> Void
    ) throws -> Service {
        try Service(
            information: information, interfaces: [VarlinkInterface(parsing: AccessInterface.description)],
            implementations: [hostAppMethods, linkingMethods, serviceMethods],
            admitting: { [self] call, peer in try await checkAccess(to: call, by: peer) },
            fault: { error in
                if let error = error as? ServiceError {
                    if error.isWithheldFromApps { onFailure(error) }
                    return error.accessFault
                }
                if error is CancellationError {
                    return ServiceError.failed(reason: Reason(.callCancelled)).accessFault
                }
                onFailure(error)
                // Internal errors are logged; the app receives a generic error.
                return Failed.internalError
            })
    }

    private func checkAccess(to call: Call, by peer: Peer) throws {
        try requireAppAccessEnabled()
        try rateLimits.charge(bytes: call.parametersJSON.count, to: identify(peer), now: clock.uptime())
        try AccessInterface.checkParameterSizes(of: call)
    }

    private func requireAppAccessEnabled() throws(NotAllowed) {
        guard isEnabled() else { throw NotAllowed(reason: "").withReason(Reason(.appsTurnedOff)) }
    }

    private var serviceMethods: Implementation {
        Implementation()
            .on(AuthorizeProtocols.self) { [self] in try await authorize($0.parameters, from: $0.peer) }
            .on(RevokeToken.self) { [self] in
                try await services.revokeToken($0.parameters, for: identify($0.peer))
            }
    }

    private func authorize(
        _ call: AuthorizeProtocols, from peer: Peer
    ) async throws -> AuthorizeProtocols.Reply {
        let (app, began) = (identify(peer), clock.uptime())
        try call.checkProtocolNames()
        try checkClaimedID(try call.requireClaimedApp().id, parameter: "appId", of: app)
        let reply = try await requests.performOnce(try Call.encode(call), from: app) {
            try await services.authorizeProtocols(call, for: app)
        }
        // Delay an empty reply, so that the app cannot infer the reason from the response time: no matching
        // service, an earlier refusal, or a refusal by the user now.
        let rest = limits.refusal - (clock.uptime() - began)
        if reply.services.isEmpty, rest > .zero { try await clock.sleep(rest) }
        return reply
    }

    private func configure(_ call: Configure, from peer: Peer) async throws -> Configure.Reply {
        let app = identify(peer)
        try checkClaimedID(call.bundleId, parameter: "bundleId", of: app)
        return try await requests.performOnce(try Call.encode(call), from: app) {
            try await hostApps.configure(call, for: app)
        }
    }

    private func setMetadata(_ call: SetAppMetadata, from peer: Peer) async throws -> SetAppMetadata.Reply {
        let app = identify(peer)
        try checkClaimedID(call.bundleId, parameter: "bundleId", of: app)
        return try await hostApps.setAppMetadata(call, for: app)
    }

    private func checkClaimedID(_ claim: String?, parameter: String, of app: AppIdentity) throws {
        guard let claim, app.contradicts(claimedID: claim) else { return }
        throw InvalidArgument(parameter: parameter, reason: "").withReason(Reason(.otherApp, ["app": app.id]))
    }
}

extension AccessService {
    private var hostAppMethods: Implementation {
        Implementation()
            .on(Configure.self) { [self] in try await configure($0.parameters, from: $0.peer) }
            .on(SetAppMetadata.self) { [self] in try await setMetadata($0.parameters, from: $0.peer) }
            .on(CreateConversation.self) { [self] in
                try await hostApps.createConversation($0.parameters, for: identify($0.peer))
            }
            .on(ListConversations.self) { [self] in
                try await hostApps.listConversations($0.parameters, for: identify($0.peer))
            }
            .on(GetConversation.self) { [self] in
                try await hostApps.getConversation($0.parameters, for: identify($0.peer))
            }
            .on(SendMessage.self) { [self] in
                try await hostApps.sendMessage($0.parameters, for: identify($0.peer))
            }
            .on(MarkRead.self) { [self] in
                try await hostApps.markRead($0.parameters, for: identify($0.peer))
            }
            .on(ClearBadge.self) { [self] in
                try await hostApps.clearBadge($0.parameters, for: identify($0.peer))
            }
            .on(SetUser.self) { [self] in
                try await hostApps.setUser($0.parameters, for: identify($0.peer))
            }
            .on(OpenInbox.self) { [self] in
                try await hostApps.openInbox($0.parameters, for: identify($0.peer))
            }
            .on(AppInstalled.self) { [self] in
                try await hostApps.checkFeedbackAppIsInstalled($0.parameters, for: identify($0.peer))
            }
            .on(AppOpen.self) { [self] in
                try await hostApps.openFeedbackApp($0.parameters, for: identify($0.peer))
            }
            .on(AppCode.self) { [self] in
                try await hostApps.createFeedbackAppCode($0.parameters, for: identify($0.peer))
            }
            .onStream(Watch.self) { [self] call, replies in
                try await hostApps.watch(call.parameters, for: identify(call.peer)) { [self] in
                    // Check again for each reply, because the user may have disabled the service after the
                    // watch began.
                    try requireAppAccessEnabled()
                    try await replies.send($0)
                }
            }
    }
}
