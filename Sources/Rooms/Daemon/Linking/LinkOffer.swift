import ControlAPI
import CutieAPI

/// A link that another device may confirm.
struct LinkOffer {
    let token: LinkToken
    /// By our clock.
    let expiresAt: Timestamp?

    init(token: LinkToken, expiresAt: Timestamp?) {
        (self.token, self.expiresAt) = (token, expiresAt)
    }

    /// The server's clock may differ from ours: how long it is good for is what counts.
    init(_ offer: Linking.Offer, at now: Timestamp) {
        let left = offer.expiresIn.map { Duration.seconds(max(0, min($0, 86_400))) }
        self.init(token: offer.linkToken, expiresAt: left.map { now + $0 } ?? offer.expiresAt)
    }

    /// As it is before anything became of it.
    var view: LinkView {
        LinkView(
            linkToken: token.rawValue, expiresAt: expiresAt?.milliseconds,
            status: Linking.State.pending.rawValue)
    }
}
