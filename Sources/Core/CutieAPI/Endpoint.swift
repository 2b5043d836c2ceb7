/// An API call and the type of its response.
public struct Endpoint<Response: Decodable & Sendable>: Sendable {
    public let request: APIRequest

    init(_ request: APIRequest) {
        self.request = request.modified { $0.expectsContent = Response.self != Acknowledgement.self }
    }

    /// Decodes the body of a successful response. Discards the parts that cannot be decoded, and adds their
    /// errors to `unreadable`.
    public func decodeResponse(
        from body: some Sequence<UInt8>, recordingUnreadablePartsIn unreadable: UnreadableParts? = nil
    ) throws(UnreadableJSON) -> Response {
        if let done = Acknowledgement() as? Response { return done }
        return try JSON.decode(Response.self, from: body, recordingUnreadablePartsIn: unreadable)
    }
}

extension APIRequest {
    func modified(_ change: (inout APIRequest) -> Void) -> APIRequest {
        var request = self
        change(&request)
        return request
    }
}

extension Endpoint where Response == Registration.Response {
    /// Returns the endpoint that registers the device. Each request to the endpoint returns a new token.
    public static func register(_ registration: Registration) -> Self {
        Self(APIRequest(.post, "device", "register", body: registration).modified { $0.isIdempotent = true })
    }
}

extension Endpoint where Response == Acknowledgement {
    public static func registerNotifications(_ registration: PushRegistration) -> Self {
        Self(
            APIRequest(.post, "notifications", "register", body: registration).modified {
                $0.isIdempotent = true
            })
    }

    public static func unregisterNotifications() -> Self {
        Self(APIRequest(.delete, "notifications", "unregister", body: PushUnregistration()))
    }

    /// Returns the endpoint that sends an activity ping. The caller does not need the response, so errors are
    /// ignored.
    public static func activityPing(_ ping: ActivityPing) -> Self {
        Self(APIRequest(.post, "activity", "ping", body: ping))
    }
}

extension Endpoint where Response == CreatedConversation {
    /// Returns the endpoint that creates a conversation. `idempotencyKey`: a UUID that the caller creates
    /// once and sends with every retry.
    public static func createConversation(_ conversation: NewConversation, idempotencyKey: String) -> Self {
        Self(
            APIRequest(.post, "conversations", body: conversation).modified {
                $0.idempotencyKey = idempotencyKey
            })
    }
}

extension Endpoint where Response == ConversationPage {
    /// Returns the endpoint that lists the conversations of the shared inbox, most recently updated first.
    /// `limit` is clamped to the range 1 to 100.
    public static func listConversations(limit: Int = 50, offset: Int = 0) -> Self {
        Self(
            APIRequest(.get, "conversations").modified {
                $0.query = [
                    .init(name: "limit", value: String(min(max(limit, 1), 100))),
                    .init(name: "offset", value: String(max(offset, 0))),
                ]
            })
    }
}

extension Endpoint where Response == Conversation {
    /// Returns the endpoint that fetches a conversation with its messages.
    public static func conversation(_ id: Conversation.ID) -> Self {
        Self(APIRequest(.get, "conversations", id.rawValue))
    }
}

extension Endpoint where Response == Message {
    /// Returns the endpoint that sends a message. `idempotencyKey`: a UUID that the caller creates once and
    /// sends with every retry.
    public static func sendMessage(
        _ message: NewMessage, to conversation: Conversation.ID, idempotencyKey: String
    ) -> Self {
        Self(
            APIRequest(.post, "conversations", conversation.rawValue, "messages", body: message).modified {
                $0.idempotencyKey = idempotencyKey
            })
    }
}

extension Endpoint where Response == ReadMark.Response {
    /// Returns the endpoint that marks messages up to `newest` as read; all messages if `newest` is `nil`. A
    /// server that does not support `up_to` always marks all messages.
    public static func markMessagesRead(in conversation: Conversation.ID, upTo newest: Message.ID?) -> Self {
        Self(
            APIRequest(
                .post, "conversations", conversation.rawValue, "messages", "mark-all-read",
                body: ReadMark(upTo: newest)
            ).modified { $0.isIdempotent = newest != nil })
    }
}

extension APIRequest {
    /// Returns the request that opens the event stream after `lastEventID`; `nil` starts the stream at the
    /// current time. `EventStreamParser` parses the body.
    public static func eventStream(after lastEventID: Event.ID?) -> APIRequest {
        APIRequest(.get, "events", "stream").modified {
            $0.accept = "text/event-stream"
            $0.lastEventID = lastEventID
            $0.timeouts = .stream
        }
    }
}

extension Endpoint where Response == EventPage {
    /// Returns the endpoint that waits up to `seconds` (clamped to the range 0 to 60) for events after
    /// `cursor`; `nil` starts at the current time.
    public static func events(after cursor: Event.ID?, maxWaitSeconds seconds: Int) -> Self {
        let seconds = min(max(seconds, 0), 60)
        return Self(
            APIRequest(.get, "events").modified {
                if let cursor { $0.query.append(.init(name: "after", value: cursor.rawValue)) }
                $0.query.append(.init(name: "wait", value: String(seconds)))
                $0.timeouts = .longPoll(seconds: seconds)
            })
    }
}

extension Endpoint where Response == Linking.Offer {
    /// Returns the endpoint that requests a link token that another device can confirm.
    public static func initiateLink() -> Self {
        Self(APIRequest(.post, "sdk", "link", "initiate"))
    }
}

extension Endpoint where Response == Linking.Confirmed {
    /// Returns the endpoint that joins the inbox of the device that displayed the token.
    public static func confirmLink(_ confirmation: Linking.Confirmation) -> Self {
        Self(APIRequest(.post, "sdk", "link", "confirm", body: confirmation))
    }
}

extension Endpoint where Response == Linking.Progress {
    /// Returns the endpoint that fetches the progress of a link that this device offered or confirmed.
    public static func linkStatus(of token: LinkToken) -> Self {
        Self(APIRequest(.get, "sdk", "link", "status", token.rawValue))
    }
}

extension Endpoint where Response == Linking.Group {
    /// Returns the endpoint that lists the devices in the shared inbox, including this device.
    public static func linkedDevices() -> Self {
        Self(APIRequest(.get, "sdk", "link", "devices"))
    }
}

extension Endpoint where Response == Linking.Removed {
    public static func removeLinkedDevice(_ device: DeviceID) -> Self {
        Self(APIRequest(.delete, "sdk", "link", "devices", device.rawValue))
    }
}

extension Endpoint where Response == Attestation.Challenge {
    /// Returns the endpoint that requests a challenge for `attest` or `assertAttestedKey`.
    public static func attestationChallenge() -> Self {
        Self(APIRequest(.post, "device", "attest", "challenge"))
    }
}

extension Endpoint where Response == Attestation.Accepted {
    /// Returns the endpoint that registers the key with which the device signed a challenge.
    public static func attest(_ submission: Attestation.Submission) -> Self {
        Self(APIRequest(.post, "device", "attest", body: submission))
    }
}

extension Endpoint where Response == Attestation.State {
    public static func attestationStatus() -> Self {
        Self(APIRequest(.get, "device", "attest", "status"))
    }
}

extension Endpoint where Response == Acknowledgement {
    /// Returns the endpoint with which the device proves again that it has its registered key.
    public static func assertAttestedKey(_ assertion: Attestation.Assertion) -> Self {
        Self(APIRequest(.post, "device", "attest", "assert", body: assertion))
    }

    public static func removeAttestation() -> Self {
        Self(APIRequest(.delete, "device", "attest"))
    }
}

extension Endpoint where Response == FeedbackApp.Pass {
    /// Returns the endpoint that creates a token, which gives the Feedback App access to the account. The app
    /// that owns the account sends this request.
    public static func generateFeedbackToken(for host: FeedbackApp.Host) -> Self {
        Self(APIRequest(.post, "feedback-app", "generate-token", body: host))
    }
}

extension Endpoint where Response == FeedbackApp.Preview {
    /// Returns the endpoint that returns the app for which a token was created (an extension of the API
    /// contract), without consuming the token. The Feedback App sends this request before it asks the user.
    public static func previewFeedbackToken(_ token: FeedbackToken) -> Self {
        Self(APIRequest(.post, "feedback-app", "preview", body: FeedbackApp.Redemption(token: token)))
    }
}

extension Endpoint where Response == FeedbackApp.Account {
    /// Returns the endpoint that exchanges a token for access to an account (an extension of the API
    /// contract). The Feedback App sends this request.
    public static func redeemFeedbackToken(_ token: FeedbackToken) -> Self {
        Self(APIRequest(.post, "feedback-app", "redeem", body: FeedbackApp.Redemption(token: token)))
    }
}

extension Endpoint where Response == Acknowledgement {
    /// Returns the endpoint that verifies a purchase in an app store. Only SDKs before 2.0 need this call;
    /// newer servers return 404.
    public static func verifySubscription(_ receipt: Subscription.Receipt) -> Self {
        Self(
            APIRequest(.post, "subscription", "verify", body: receipt).modified {
                $0.needsDeviceSecret = true
                $0.isIdempotent = true
            })
    }
}

extension Endpoint where Response == Subscription.Usage {
    /// Returns the endpoint that fetches the usage of the subscription. Only SDKs before 2.0 need this call;
    /// newer servers return 404.
    public static func usage() -> Self {
        Self(APIRequest(.get, "usage").modified { $0.needsDeviceSecret = true })
    }
}

/// A response that only confirms success. Any body is accepted, even an empty one.
public struct Acknowledgement: Hashable, Sendable, Codable {
    public init() {}
    public init(from decoder: any Decoder) throws {}
}
