import Accounts
import ControlAPI
import CutieAPI
import EventLog
import Store
import VarlinkSocket

/// The handlers for the registration at a push service and for payloads.
struct PushMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let surroundings: RuntimeEnvironment
    private var store: MessageStore { ingest.store }

    var implementation: Implementation {
        Implementation().on(registerPush).on(unregisterPush).on(pushStatus).on(deliverPush)
    }

    func registerPush(_ call: RegisterPush) async throws -> RegisterPush.Reply {
        guard let token = PushToken(rawValue: call.token) else {
            throw InvalidArgument(parameter: "token", reason: "it is not 32 to 200 hexadecimal characters")
        }
        return .init(queued: try await register(token, named: call.account))
    }

    func unregisterPush(_ call: UnregisterPush) async throws -> UnregisterPush.Reply {
        .init(queued: try await register(nil, named: call.account))
    }

    /// Stores the wanted registration. Returns whether it is still pending on the server.
    private func register(_ token: PushToken?, named account: String?) async throws -> Bool {
        let push = try accounts.single(account).requireDevice().push
        do {
            return try await !push.register(token, within: ControlService.sendingLimit)
        } catch APIFailure.absent(let reason) {
            throw NotOffered(reason: reason)
        } catch let failure as APIFailure {
            throw failure.fault(about: nil)
        }
    }

    func pushStatus(_ call: PushStatus) throws -> PushStatus.Reply {
        .init(
            registrations: try accounts.matching(call.account).compactMap { unit in
                guard let push = unit.device?.push else { return nil }
                return PushRegistrationView(
                    try push.status(), account: unit.account.name, failure: push.failure?.sentence)
            })
    }

    /// Processes a payload. It is only a hint: the message is fetched, so that it is complete and shown only
    /// once.
    func deliverPush(_ call: DeliverPush) async throws -> DeliverPush.Reply {
        let payload = try payload(call.payload)
        let unit = try unit(for: payload, named: call.account)
        if try isHere(payload, of: unit) {
            return .init(conversationId: payload.conversation?.rawValue, arrived: 0, queued: false)
        }
        let before = ingest.head.value
        let isDone = try await deliver(payload, as: unit)
        return .init(
            conversationId: payload.conversation?.rawValue,
            arrived: try newMessageCount(after: before, of: unit),
            queued: !isDone)
    }

    private func payload(_ text: String) throws -> PushPayload {
        do { return try PushPayload(json: text.utf8) } catch {
            let reason =
                switch error {
                case .tooLarge: "it is larger than 64 KiB"
                case .notJSON: "it is not JSON"
                case .notOurs: "it contains neither conversation_id nor cutie, so it is not for cutied"
                }
            throw InvalidArgument(parameter: "payload", reason: reason)
        }
    }

    private func unit(for payload: PushPayload, named name: String?) throws -> AccountUnit {
        let holders = try payload.conversation.map { id in
            try store.read { try $0.conversations.accounts(holding: id) }
        }
        guard let conversation = payload.conversation, holders?.isEmpty == false else {
            return try accounts.single(name)
        }
        return try accounts.holding(conversation.rawValue, named: name)
    }

    private func isHere(_ payload: PushPayload, of unit: AccountUnit) throws -> Bool {
        guard let message = payload.message else { return false }
        return try store.read {
            try $0.messages.hasSeen(message, in: payload.conversation, account: unit.account.id)
        }
    }

    /// Returns false if the API does not respond or the initial synchronization is not complete. The next
    /// connection then fetches new messages.
    private func deliver(_ payload: PushPayload, as unit: AccountUnit) async throws -> Bool {
        guard try store.read({ try $0.accounts.find(unit.account.id) })?.syncedAt != nil else { return false }
        do {
            let done: Void? = try await surroundings.withTimeout(ControlService.sendingLimit) {
                try await unit.feed.synchronizer.accept(payload)
            }
            return done != nil
        } catch APIFailure.retry {
            return false
        } catch let failure as APIFailure {
            throw failure.fault(about: payload.conversation?.rawValue)
        }
    }

    private func newMessageCount(after sequence: Int64, of unit: AccountUnit) throws -> Int {
        try store.read { try $0.log.entries(after: sequence, limit: 1000) }
            .count { $0.kind == .messageCreated && $0.account == unit.account.id }
    }
}

extension PushRegistrationView {
    init(_ request: PushRequest?, account: String, failure: String?) {
        self.init(
            account: account, state: request?.state ?? "none",
            tokenEnd: request?.token.map { String($0.rawValue.suffix(8)) },
            registeredAt: request?.toldAt?.milliseconds,
            reason: request?.refusal ?? (request?.toldAt == nil ? failure : nil))
    }
}
