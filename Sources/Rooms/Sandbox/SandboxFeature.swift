/// What a server may lack, so that clients can be tried without it.
public enum SandboxFeature: String, CaseIterable, Sendable {
    case stream
    case longPoll = "long-poll"
    /// Keys are not looked at: a repeat is done again.
    case idempotency
    /// A mark-read covers everything, whatever bound it names.
    case upTo = "up-to"
    /// Lists are always given whole.
    case etag
    case attestation
    /// No device has a token: its id is enough.
    case register
    /// What only services for SDKs before 2.0 have.
    case subscription
}
