import Config
import ControlAPI
import CutieAPI
import Desktop
import HTTP
import NotificationPolicy
import Platform

@testable import Doctor

extension GetStatus.Reply {
    static func sample(
        _ accounts: AccountView..., version: String = Product.version, notifications: Bool = true,
        paused: Bool = false, outbox: Int = 0, outboxFailed: Int = 0,
        notifier: NotifierView = NotifierView(available: true, server: "dunst 1.9")
    ) -> GetStatus.Reply {
        GetStatus.Reply(
            version: version, state: accounts.first?.state ?? .connected,
            badge: BadgeView(total: 0, conversations: [:], unread: 0), sequence: 1, outbox: outbox,
            outboxFailed: outboxFailed, notifications: notifications, paused: paused, notifier: notifier,
            accounts: accounts)
    }
}

extension AccountView {
    static func sample(
        _ state: ConnectionState, by transport: String = "none", because reason: String? = nil,
        name: String = "default"
    ) -> AccountView {
        AccountView(
            name: name, state: state, transport: transport, reason: reason, apiUrl: "https://api.cuti-e.com",
            appId: "app_1", deviceId: "device_1", badge: BadgeView(total: 0, conversations: [:], unread: 0))
    }
}

extension APIFacts {
    static func sample(
        _ outcome: Outcome = .answered(status: 401, secondsAhead: 0), account: String = "default",
        at address: String = "https://api.example.com", stream: Availability = .offered,
        longPoll: Availability = .offered,
        transport: TransportKind? = nil, ownPins: Int = 0, now: Int64 = 0
    ) throws -> APIFacts {
        let address = try APIAddress(address)
        return APIFacts(
            account: account, address: address, transport: transport, ownPins: ownPins,
            hasBuiltInPins: ownPins == 0 && HostedService.contains(address), now: now, outcome: outcome,
            stream: stream, longPoll: longPoll)
    }
}

extension NotificationServer {
    static func sample(_ capabilities: Set<String>) -> NotificationServer {
        NotificationServer(
            name: "dunst", vendor: "knopwob", version: "1.9", specVersion: "1.2", capabilities: capabilities)
    }
}

extension UnitFacts {
    static func sample(
        _ enabled: ProgramOutput = .printed("enabled"), _ active: ProgramOutput = .printed("active"),
        hasDisplay: Bool = true,
        lingers: Bool? = nil, namespacesWork: Bool? = true, isHardened: Bool? = false,
        hardeningFile: String? = nil, sandboxFailure: SandboxFailure? = nil, dropIn: String? = nil
    ) -> UnitFacts {
        UnitFacts(
            enabled: enabled, active: active, hasDisplay: hasDisplay, lingers: lingers,
            namespacesWork: namespacesWork, isHardened: isHardened, hardeningFile: hardeningFile,
            sandboxFailure: sandboxFailure, dropIn: dropIn)
    }
}

extension [Check] {
    subscript(_ name: String) -> Check? { first { $0.name == name } }
}
