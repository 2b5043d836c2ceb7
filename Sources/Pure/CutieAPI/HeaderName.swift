/// The headers of the API.
public enum HeaderName {
    /// The app id from the admin dashboard.
    public static let appID = "X-App-ID"
    /// `device_<UUID>`, made once per installation.
    public static let deviceID = "X-Device-ID"
    /// What registration gave; absent until then.
    public static let deviceToken = "X-Device-Token"
    /// The client's version.
    public static let sdkVersion = "X-CutiE-SDK-Version"
    /// Legacy; only where the configuration carries one.
    public static let apiKey = "X-API-Key"
    /// Base64 assertion over the request, where the device is attested.
    public static let appAssertion = "X-App-Assertion"
    /// Only on `/v1/subscription/verify` and `/v1/usage`.
    public static let deviceSecret = "X-Device-Secret"

    public static let accept = "Accept"
    public static let authorization = "Authorization"
    public static let cacheControl = "Cache-Control"
    public static let contentType = "Content-Type"
    public static let date = "Date"
    public static let etag = "ETag"
    public static let idempotencyKey = "Idempotency-Key"
    public static let ifNoneMatch = "If-None-Match"
    public static let lastEventID = "Last-Event-ID"
    public static let retryAfter = "Retry-After"
}
