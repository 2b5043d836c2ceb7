extension Endpoint where Answer == FeedbackApp.Pass {
    /// As the host app: a token that lets the Feedback App take the account over.
    public static func generateFeedbackToken(_ host: FeedbackApp.Host) -> Self {
        Self(APIRequest(.post, "feedback-app", "generate-token", body: host))
    }
}

extension Endpoint where Answer == FeedbackApp.Account {
    /// As the Feedback App: takes over the account behind a token (extension).
    public static func redeemFeedbackToken(_ token: FeedbackToken) -> Self {
        Self(APIRequest(.post, "feedback-app", "redeem", body: FeedbackApp.Redemption(token: token)))
    }
}
