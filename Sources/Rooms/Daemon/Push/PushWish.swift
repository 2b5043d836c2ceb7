import ControlAPI
import CutieAPI
import Store

/// Where a push service reaches this device, as the person wants it and as far as the server knows. It
/// survives restarts; what has no row was never wanted, or is taken back.
struct PushWish: Codable, Equatable {
    /// nil: the address is to be taken back.
    var token: PushToken?
    /// When the server took it.
    var toldAt: Timestamp?
    /// Why the server does not want it.
    var refusal: String?

    static func setting(of account: AccountID) -> Setting<Self> { Setting("push", of: account) }

    /// The word that `status` has for it.
    var state: String {
        if refusal != nil { return "refused" }
        if token == nil { return "leaving" }
        return toldAt == nil ? "waiting" : "registered"
    }
}

extension PushRegistrationView {
    init(_ wish: PushWish?, account: String, failure: String?) {
        self.init(
            account: account, state: wish?.state ?? "none",
            tokenEnd: wish?.token.map { String($0.rawValue.suffix(8)) },
            registeredAt: wish?.toldAt?.milliseconds,
            reason: wish?.refusal ?? (wish?.toldAt == nil ? failure : nil))
    }
}
