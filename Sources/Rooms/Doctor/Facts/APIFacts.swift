import Config
import CutieAPI
import HTTP

/// What an account's API answers to calls that carry no device and change nothing.
struct APIFacts: Sendable {
    enum Outcome: Sendable {
        /// The status of a call without a token, and how many seconds its clock is ahead of ours.
        case answered(status: Int, secondsAhead: Int64?)
        case failed(HTTPError)
        /// Not tried: no link has an address that reaches beyond it.
        case noNetwork
    }

    enum Offer: Hashable, Sendable {
        case offered, absent, unknown
    }

    var account: String
    var address: APIAddress
    /// The configured one.
    var transport = AccountConfiguration.Transport.auto
    var ownPins = 0
    var hasBuiltInPins = false
    /// Unix milliseconds.
    var now: Int64
    var outcome: Outcome
    var stream = Offer.unknown
    var longPoll = Offer.unknown
}
