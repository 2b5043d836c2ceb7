import AccessAPI
import Domain
import Varlink
import VarlinkSocket

// MARK: - Linked devices, consent and push services

extension AccessService {
    var linkingMethods: Implementation {
        Implementation()
            .on(InitiateLink.self) { [self] in
                try await hostApps.initiateLink($0.parameters, for: identify($0.peer))
            }
            .on(LinkStatus.self) { [self] in
                try await hostApps.fetchLinkStatus($0.parameters, for: identify($0.peer))
            }
            .on(ConfirmLink.self) { [self] call in
                try await handleRequest(call.parameters, from: call.peer) {
                    try await hostApps.confirmLink(call.parameters, for: $0)
                }
            }
            .on(LinkedDevices.self) { [self] in
                try await hostApps.listLinkedDevices($0.parameters, for: identify($0.peer))
            }
            .on(UnlinkDevice.self) { [self] call in
                try await handleRequest(call.parameters, from: call.peer) {
                    try await hostApps.unlinkDevice(call.parameters, for: $0)
                }
            }
            .on(SetConsent.self) { [self] in
                try await hostApps.setConsent($0.parameters, for: identify($0.peer))
            }
            .on(RequestConsent.self) { [self] call in
                try await handleRequest(call.parameters, from: call.peer) {
                    try await hostApps.requestConsent(call.parameters, for: $0)
                }
            }
            .on(RegisterPush.self) { [self] in
                try await hostApps.registerPush($0.parameters, for: identify($0.peer))
            }
            .on(OpenForm.self) { [self] in
                try await hostApps.openForm($0.parameters, for: identify($0.peer))
            }
    }

    /// Runs `body`, which asks the user. An app can have one pending question at a time.
    private func handleRequest<M: AccessMethod>(
        _ method: M, from peer: Peer, _ body: (AppIdentity) async throws -> M.Reply
    ) async throws -> M.Reply {
        let app = identify(peer)
        return try await requests.performOnce(try Call.encode(method), from: app) { try await body(app) }
    }
}
