extension Endpoint where Answer == Registration.Answer {
    /// Gives the device a token. A repeat gives another one.
    public static func register(_ registration: Registration) -> Self {
        Self(APIRequest(.post, "device", "register", body: registration).with { $0.isIdempotent = true })
    }
}

extension Endpoint where Answer == Acknowledgement {
    public static func registerNotifications(_ registration: PushRegistration) -> Self {
        Self(
            APIRequest(.post, "notifications", "register", body: registration).with {
                $0.isIdempotent = true
            })
    }

    public static func unregisterNotifications() -> Self {
        Self(APIRequest(.delete, "notifications", "unregister", body: PushUnregistration()))
    }

    /// Fire and forget: whatever it answers is ignored.
    public static func activityPing(_ ping: ActivityPing) -> Self {
        Self(APIRequest(.post, "activity", "ping", body: ping))
    }
}
