extension Endpoint where Answer == Acknowledgement {
    /// SDK before 2.0: newer services answer 404.
    public static func verifySubscription(_ receipt: Subscription.Receipt) -> Self {
        Self(
            APIRequest(.post, "subscription", "verify", body: receipt).with {
                $0.needsDeviceSecret = true
                $0.isIdempotent = true
            })
    }
}

extension Endpoint where Answer == Subscription.Usage {
    /// SDK before 2.0: newer services answer 404.
    public static func usage() -> Self {
        Self(APIRequest(.get, "usage").with { $0.needsDeviceSecret = true })
    }
}
