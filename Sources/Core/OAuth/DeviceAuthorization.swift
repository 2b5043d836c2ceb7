public import CutieAPI

/// The device authorization response (RFC 8628 §3.2). The response contains a code with which the user signs
/// in, on any device with a browser.
public struct DeviceAuthorization: Hashable, Sendable, Codable {
    public let deviceCode: Token<DeviceAuthorization>
    /// The code that the user enters on the page, or compares with the code that the page shows.
    public let userCode: String
    public let verificationURI: EndpointURL
    /// The URL that contains the user code, for a QR code or a link; `nil` if the server sent none.
    public let completeURI: EndpointURL?
    /// The lifetime of the code in seconds.
    public let expiresIn: Int
    /// The minimum delay between two polls in seconds.
    public let interval: Int

    private static let defaultInterval = 5
    static let maxInterval = 60

    private enum CodingKeys: String, CodingKey {
        case interval
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case completeURI = "verification_uri_complete"
        case expiresIn = "expires_in"
    }

    /// The keys in the responses of Google, which predate RFC 8628.
    private enum OlderKeys: String, CodingKey {
        case verificationURI = "verification_url"
        case completeURI = "verification_url_complete"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let code = try container.decode(String.self, forKey: .deviceCode)
        guard (1...TokenResponse.maxTokenLength).contains(code.utf8.count) else {
            throw Self.decodingError(forKey: .deviceCode, in: container)
        }
        deviceCode = Token(code)
        userCode = try container.decode(String.self, forKey: .userCode)
        guard Self.isDisplayable(userCode) else { throw Self.decodingError(forKey: .userCode, in: container) }
        let older = try decoder.container(keyedBy: OlderKeys.self)
        verificationURI =
            if !container.contains(.verificationURI), older.contains(.verificationURI) {
                try older.decode(EndpointURL.self, forKey: .verificationURI)
            } else {
                try container.decode(EndpointURL.self, forKey: .verificationURI)
            }
        completeURI =
            container.decodeIfReadable(.completeURI, as: EndpointURL.self)
            ?? older.decodeIfReadable(.completeURI, as: EndpointURL.self)
        guard let seconds = container.decodeSeconds(forKey: .expiresIn) else {
            throw Self.decodingError(forKey: .expiresIn, in: container)
        }
        // Limit the lifetime to an hour, so that the polling for an abandoned sign-in ends.
        expiresIn = min(seconds, 3600)
        interval = min(container.decodeSeconds(forKey: .interval) ?? Self.defaultInterval, Self.maxInterval)
    }

    /// Parses the response. Throws if it is not a device authorization response, for example an HTML page.
    public init(json: [UInt8]) throws(UnreadableJSON) {
        guard json.count <= TokenResponse.sizeLimit else {
            throw UnreadableJSON(path: "", problem: .badValue)
        }
        self = try JSON.decode(from: json)
    }

    /// Returns whether the code can be displayed safely: 1 to 64 visible ASCII characters.
    private static func isDisplayable(_ code: String) -> Bool {
        (1...64).contains(code.utf8.count) && code.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func decodingError(
        forKey key: CodingKeys, in container: KeyedDecodingContainer<CodingKeys>
    ) -> DecodingError {
        .dataCorruptedError(forKey: key, in: container, debugDescription: "cannot be used")
    }
}

/// A state machine that polls for the user's decision (RFC 8628 §3.4 and §3.5). All times are monotonic.
public struct DevicePolling: Sendable {
    public enum Input: Hashable, Sendable {
        /// The delay of the last `wait` has elapsed.
        case waited
        case answered(TokenResponse)
        case refused(OAuthError)
        /// The request failed, or the response was not from an authorization server. `floor`: the minimum
        /// delay before the next request, as requested by the server; `nil` if it requested none.
        case unanswered(floor: Duration? = nil)
    }

    /// The action that the caller must perform.
    public enum Action: Hashable, Sendable {
        case wait(Duration)
        case ask
        case succeed(TokenResponse)
        case fail(PollingFailure)
    }

    /// The reason why a sign-in failed.
    public enum PollingFailure: Error, Hashable, Sendable {
        case expired
        case denied
        case refused(OAuthError)
    }

    /// The increase of the interval after each `slow_down` (RFC 8628 §3.5).
    private static let step: Duration = .seconds(5)
    /// The maximum backoff while the server is unreachable, unless `interval` is longer. The maximum is
    /// low, because the user may already have decided.
    private static let maxBackoff: Duration = .seconds(60)

    private var interval: Duration
    private let end: Duration
    /// The number of consecutive polls without a response.
    private var timeouts = 0

    public init(_ authorization: DeviceAuthorization, now: Duration) {
        interval = .seconds(authorization.interval)
        end = now + .seconds(authorization.expiresIn)
    }

    /// Returns the first action, which is a wait, because the user needs time to decide.
    public func firstAction(now: Duration) -> Action { waitAction(now: now) }

    public mutating func handle(_ input: Input, now: Duration) -> Action {
        switch input {
        case .waited: return now < end ? .ask : .fail(.expired)
        case .answered(let answer): return .succeed(answer)
        case .unanswered(let floor):
            timeouts += 1
            return waitAction(now: now, atLeast: floor)
        case .refused(let error): return handleError(error, now: now)
        }
    }

    private mutating func handleError(_ error: OAuthError, now: Duration) -> Action {
        timeouts = 0
        switch error.code {
        case .authorizationPending: return waitAction(now: now)
        case .slowDown:
            let wish = error.interval.map { Duration.seconds(min($0, DeviceAuthorization.maxInterval)) }
            interval = max(interval + Self.step, wish ?? .zero)
            return waitAction(now: now)
        case _ where error.isDenial: return .fail(.denied)
        case _ where error.isExpiration: return .fail(.expired)
        default: return .fail(.refused(error))
        }
    }

    /// Returns a wait that is no longer than the remaining lifetime of the code, so that the expiry is
    /// reported immediately. If the code has expired, returns a failure.
    private func waitAction(now: Duration, atLeast floor: Duration? = nil) -> Action {
        guard now < end else { return .fail(.expired) }
        let backoff = min(interval * (1 << min(timeouts, 6)), max(interval, Self.maxBackoff))
        return .wait(min(max(backoff, floor ?? .zero), end - now))
    }
}
