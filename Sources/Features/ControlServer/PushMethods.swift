import Accounts
import ControlAPI
import CutieAPI
import Reasons
import Services
import Store
import VarlinkSocket

/// The handlers for push registrations and push payloads.
struct PushMethods: ControlMethods {
    let accounts: AccountRegistry
    let service: PushService

    var implementation: Implementation {
        Implementation().on(registerPush).on(unregisterPush).on(fetchPushStatus).on(deliverPush)
    }

    func registerPush(_ call: RegisterPush) async throws -> RegisterPush.Reply {
        .init(queued: try await service.setPushToken(call.token, account: call.account))
    }

    func unregisterPush(_ call: UnregisterPush) async throws -> UnregisterPush.Reply {
        .init(queued: try await service.setPushToken(nil, account: call.account))
    }

    func fetchPushStatus(_ call: PushStatus) throws -> PushStatus.Reply {
        .init(
            registrations: try accounts.findAccounts(named: call.account).compactMap { unit in
                guard let push = unit.device?.push else { return nil }
                return PushRegistrationView(
                    try push.readRequest(), account: unit.account.name, failure: push.failure?.reason)
            })
    }

    func deliverPush(_ call: DeliverPush) async throws -> DeliverPush.Reply {
        let delivery = try await service.processPayload(call.payload, account: call.account)
        return .init(
            conversationId: delivery.conversation?.rawValue, arrived: delivery.arrivedCount,
            queued: delivery.isQueued)
    }
}

extension PushRegistrationView {
    init(_ request: PushRequest?, account: String, failure: Reason?) {
        let reason = request?.refusal?.value ?? (request?.toldAt == nil ? failure : nil)
        self.init(
            account: account, state: request?.state ?? "none",
            tokenEnd: request?.token.map { String($0.rawValue.suffix(8)) },
            registeredAt: request?.toldAt?.milliseconds,
            reason: reason?.english)
        self = withReasonFields(of: reason)
    }
}
