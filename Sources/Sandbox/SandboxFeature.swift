/// What a server may lack, so that clients can be tried without it.
public enum SandboxFeature: String, CaseIterable, Sendable {
    case stream
    case longPoll = "long-poll"
}
