public import ControlAPI
import Localization

/// The page that lists the devices of a shared inbox and can link further devices, as a state machine.
public struct DevicesState: Sendable {
    public enum Input: Hashable, Sendable {
        /// The page was opened for an account; `nil` if there is only one account.
        case open(account: String?)
        /// The user requests a link code for another device.
        case offer
        case stopOffer
        /// The user typed the code that another device shows.
        case token(String)
        /// The user typed the name that other devices show for this device.
        case name(String)
        case join
        /// The user removes a device, and then confirms or cancels the removal.
        case remove(DeviceView)
        case confirm(Bool)
        case answered(Call, CallReply)
        case failed(Call, CallFailure)
        /// The new state of the link that this device offers.
        case link(LinkView)
        case linkFailed(CallFailure)
    }

    public enum Call: Hashable, Sendable {
        case list(account: String?)
        case join(token: String, name: String?, account: String?)
        case remove(device: String, account: String)
    }

    public enum CallReply: Hashable, Sendable {
        case devices(LinkedDevices.Reply)
        case joined(ConfirmLink.Reply)
        case removed
    }

    public enum Action: Hashable, Sendable {
        case call(Call)
        /// Starts the `StartLink` stream. If a stream is already running, stops it first.
        case follow(account: String?)
        case stopFollowing
        case showToast(String)
    }

    public enum List: Hashable, Sendable {
        case loading
        /// This device does not share an inbox.
        case alone
        /// The devices that share the inbox. `unanswered`: the accounts whose API did not respond.
        case devices([DeviceView], unanswered: [String])
        /// Loading failed. The value is the error message.
        case failed(String)
    }

    public enum OfferState: Hashable, Sendable {
        case none
        case asking
        /// The page shows the code. `until`: the expiry of the code in Unix milliseconds; `nil` if unknown.
        case shown(token: String, until: Int64?)
        /// Another device joined. The value is the name of the device; `nil` if unknown.
        case linked(String?)
        case expired
        /// Linking failed. The value is the error message.
        case failed(String)
    }

    public enum JoinState: Hashable, Sendable {
        case idle
        case joining
        /// Joining failed. The value is the error message.
        case failed(String)
    }

    public private(set) var account: String?
    public private(set) var list = List.loading
    public private(set) var offer = OfferState.none
    public private(set) var join = JoinState.idle
    public private(set) var token = ""
    public private(set) var name = ""
    /// The device whose removal the user must confirm.
    public private(set) var deviceToRemove: DeviceView?

    public init() {}

    public var canJoin: Bool {
        join != .joining && !trimmedToken.isEmpty && token.utf8.count <= ControlInterface.shortLimit
            && name.utf8.count <= ControlInterface.shortLimit
    }

    private var trimmedToken: String { token.filter { !$0.isWhitespace } }

    public mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .open(let account):
            let isOffering = offer.isOpen
            (self.account, list, offer) = (account, .loading, .none)
            return (isOffering ? [.stopFollowing] : []) + [.call(.list(account: account))]
        case .offer:
            guard !offer.isOpen else { return [] }
            offer = .asking
            return [.follow(account: account)]
        case .stopOffer: return stopOfferingCode()
        case .token(let text): token = text
        case .name(let text): name = text
        case .join: return startJoiningInbox()
        case .remove(let device): deviceToRemove = device
        case .confirm(let isSure): return handleRemovalAnswer(isConfirmed: isSure)
        case .answered(let call, let answer): return handleReply(answer, to: call)
        case .failed(let call, let failure): return handleFailure(failure, of: call)
        case .link(let link): return handleDeviceLink(link)
        case .linkFailed(let failure): if offer.isOpen { offer = .failed(failure.sentence) }
        }
        return []
    }

    private mutating func stopOfferingCode() -> [Action] {
        let isOffering = offer.isOpen
        offer = .none
        return isOffering ? [.stopFollowing] : []
    }

    private mutating func startJoiningInbox() -> [Action] {
        guard canJoin else { return [] }
        join = .joining
        return [.call(.join(token: trimmedToken, name: name.isEmpty ? nil : name, account: account))]
    }

    private mutating func handleRemovalAnswer(isConfirmed: Bool) -> [Action] {
        defer { deviceToRemove = nil }
        guard isConfirmed, let deviceToRemove else { return [] }
        return [.call(.remove(device: deviceToRemove.deviceId, account: deviceToRemove.account))]
    }
}

// MARK: - Results from the daemon

extension DevicesState {
    private mutating func handleReply(_ response: CallReply, to call: Call) -> [Action] {
        switch (call, response) {
        case (.list(let account), .devices(let reply)):
            guard account == self.account else { return [] }
            list =
                reply.devices.isEmpty
                ? .alone : .devices(reply.devices, unanswered: reply.unanswered ?? [])
            return []
        case (.join, .joined(let reply)):
            (join, token) = (.idle, "")
            let words = localized(
                "Linked. The other device shows this device as “{name}”.", ["name": reply.name])
            return [.showToast(words), .call(.list(account: account))]
        default: return [.call(.list(account: account))]
        }
    }

    private mutating func handleFailure(_ failure: CallFailure, of call: Call) -> [Action] {
        switch call {
        case .list(let account): if account == self.account { list = .failed(failure.sentence) }
        case .join: join = .failed(Self.message(for: failure))
        case .remove: return [.showToast(failure.sentence), .call(.list(account: account))]
        }
        return []
    }

    private static func message(for failure: CallFailure) -> String {
        if case .notFound = failure {
            return localized(
                "This code is not valid or has expired. Create a new code on the other device.")
        }
        return failure.sentence
    }

    private mutating func handleDeviceLink(_ link: LinkView) -> [Action] {
        guard offer.isOpen else { return [] }
        switch link.status {
        case "confirmed":
            offer = .linked(link.deviceName)
            return [.call(.list(account: account))]
        case "expired": offer = .expired
        default: offer = .shown(token: link.linkToken, until: link.expiresAt)
        }
        return []
    }
}

extension DevicesState.OfferState {
    /// Whether a link code is being requested or is displayed.
    public var isOpen: Bool {
        switch self {
        case .asking, .shown: true
        case .none, .linked, .expired, .failed: false
        }
    }
}
