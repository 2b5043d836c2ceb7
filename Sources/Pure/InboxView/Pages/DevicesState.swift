public import ControlAPI
import Localization

/// The devices that share an inbox, and how another one joins them, as a state machine.
public struct DevicesState: Sendable {
    public enum Input: Hashable, Sendable {
        /// The page opens; nil: the daemon's only account.
        case open(account: String?)
        /// The person offers a link.
        case offer
        case stopOffer
        /// What the other device shows is typed.
        case token(String)
        /// What this one is to be called there.
        case name(String)
        case join
        /// The person wants a device out, and is sure, or not.
        case remove(DeviceView)
        case confirm(Bool)
        case answered(Call, Answer)
        case failed(Call, CallFailure)
        /// How far the link has come that is offered.
        case link(LinkView)
        case linkFailed(CallFailure)
    }

    public enum Call: Hashable, Sendable {
        case list(account: String?)
        case join(token: String, name: String?, account: String?)
        case remove(device: String, account: String)
    }

    public enum Answer: Hashable, Sendable {
        case devices(LinkedDevices.Reply)
        case joined(ConfirmLink.Reply)
        case removed
    }

    public enum Action: Hashable, Sendable {
        case call(Call)
        /// Follows `StartLink`; one that runs ends.
        case follow(account: String?)
        case stopFollowing
        case tell(String)
    }

    public enum List: Hashable, Sendable {
        case loading
        /// This device shares its inbox with none.
        case alone
        /// `unanswered`: accounts whose service did not answer.
        case devices([DeviceView], unanswered: [String])
        /// A sentence.
        case failed(String)
    }

    public enum Offer: Hashable, Sendable {
        case none
        case asking
        /// `until`: Unix milliseconds.
        case shown(token: String, until: Int64?)
        /// The name of the device that joined, where it is known.
        case linked(String?)
        case expired
        /// A sentence.
        case failed(String)
    }

    public enum Join: Hashable, Sendable {
        case idle
        case joining
        /// A sentence.
        case failed(String)
    }

    public private(set) var account: String?
    public private(set) var list = List.loading
    public private(set) var offer = Offer.none
    public private(set) var join = Join.idle
    public private(set) var token = ""
    public private(set) var name = ""
    /// The person is asked whether it is to go.
    public private(set) var leaving: DeviceView?

    public init() {}

    public var canJoin: Bool {
        join != .joining && !trimmedToken.isEmpty && token.utf8.count <= ControlInterface.shortLimit
            && name.utf8.count <= ControlInterface.shortLimit
    }

    private var trimmedToken: String { token.filter { !$0.isWhitespace } }

    /// What to do about `input`.
    public mutating func next(_ input: Input) -> [Action] {
        switch input {
        case .open(let account):
            let isOffering = offer.isOpen
            (self.account, list, offer) = (account, .loading, .none)
            return (isOffering ? [.stopFollowing] : []) + [.call(.list(account: account))]
        case .offer:
            guard !offer.isOpen else { return [] }
            offer = .asking
            return [.follow(account: account)]
        case .stopOffer: return stopOffer()
        case .token(let text): token = text
        case .name(let text): name = text
        case .join: return startJoin()
        case .remove(let device): leaving = device
        case .confirm(let isSure): return confirm(isSure)
        case .answered(let call, let answer): return accept(answer, to: call)
        case .failed(let call, let failure): return accept(failure, of: call)
        case .link(let link): return accept(link)
        case .linkFailed(let failure): if offer.isOpen { offer = .failed(failure.sentence) }
        }
        return []
    }

    private mutating func stopOffer() -> [Action] {
        let isOffering = offer.isOpen
        offer = .none
        return isOffering ? [.stopFollowing] : []
    }

    private mutating func startJoin() -> [Action] {
        guard canJoin else { return [] }
        join = .joining
        return [.call(.join(token: trimmedToken, name: name.isEmpty ? nil : name, account: account))]
    }

    private mutating func confirm(_ isSure: Bool) -> [Action] {
        defer { leaving = nil }
        guard isSure, let leaving else { return [] }
        return [.call(.remove(device: leaving.deviceId, account: leaving.account))]
    }
}

// MARK: - What the daemon tells

extension DevicesState {
    private mutating func accept(_ answer: Answer, to call: Call) -> [Action] {
        switch (call, answer) {
        case (.list(let account), .devices(let reply)):
            guard account == self.account else { return [] }
            list =
                reply.devices.isEmpty
                ? .alone : .devices(reply.devices, unanswered: reply.unanswered ?? [])
            return []
        case (.join, .joined(let reply)):
            (join, token) = (.idle, "")
            let words = localized("Linked. This device is called “{name}” there.", ["name": reply.name])
            return [.tell(words), .call(.list(account: account))]
        default: return [.call(.list(account: account))]
        }
    }

    private mutating func accept(_ failure: CallFailure, of call: Call) -> [Action] {
        switch call {
        case .list(let account): if account == self.account { list = .failed(failure.sentence) }
        case .join: join = .failed(Self.sentence(of: failure))
        case .remove: return [.tell(failure.sentence), .call(.list(account: account))]
        }
        return []
    }

    private static func sentence(of failure: CallFailure) -> String {
        if case .notFound = failure {
            return localized(
                "No device offers this code, or its time is over. Let the other device make another.")
        }
        return failure.sentence
    }

    private mutating func accept(_ link: LinkView) -> [Action] {
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

extension DevicesState.Offer {
    /// The daemon is waiting for the other device.
    public var isOpen: Bool {
        switch self {
        case .asking, .shown: true
        case .none, .linked, .expired, .failed: false
        }
    }
}
