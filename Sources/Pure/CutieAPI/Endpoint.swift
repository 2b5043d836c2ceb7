/// A call of the API and the shape of its answer.
public struct Endpoint<Answer: Decodable & Sendable>: Sendable {
    public let request: APIRequest

    init(_ request: APIRequest) {
        self.request = request.with { $0.expectsContent = Answer.self != Acknowledgement.self }
    }

    /// Returns the answer that a successful response's body holds, and adds the parts that could not be read to
    /// `unreadable`. Throws `UnreadableJSON`.
    public func answer(
        from body: some Sequence<UInt8>, noting unreadable: UnreadableParts? = nil
    ) throws(UnreadableJSON) -> Answer {
        if let done = Acknowledgement() as? Answer { return done }
        return try JSON.decode(Answer.self, from: body, noting: unreadable)
    }
}

extension APIRequest {
    func with(_ change: (inout APIRequest) -> Void) -> APIRequest {
        var request = self
        change(&request)
        return request
    }
}

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

extension Endpoint where Answer == CreatedConversation {
    /// Starts a conversation. The key is a UUID of the caller's, the same for every attempt.
    public static func createConversation(_ conversation: NewConversation, idempotencyKey: String) -> Self {
        Self(
            APIRequest(.post, "conversations", body: conversation).with {
                $0.idempotencyKey = idempotencyKey
            })
    }
}

extension Endpoint where Answer == ConversationPage {
    /// The device group's conversations, newest `updated_at` first; a page holds 1 to 100.
    public static func listConversations(limit: Int = 50, offset: Int = 0) -> Self {
        Self(
            APIRequest(.get, "conversations").with {
                $0.query = [
                    .init(name: "limit", value: String(min(max(limit, 1), 100))),
                    .init(name: "offset", value: String(max(offset, 0))),
                ]
            })
    }
}

extension Endpoint where Answer == Conversation {
    /// One conversation with its messages.
    public static func conversation(_ id: Conversation.ID) -> Self {
        Self(APIRequest(.get, "conversations", id.rawValue))
    }
}

extension Endpoint where Answer == Message {
    /// Answers in a conversation. The key is a UUID of the caller's, the same for every attempt.
    public static func sendMessage(
        _ message: NewMessage, to conversation: Conversation.ID, idempotencyKey: String
    ) -> Self {
        Self(
            APIRequest(.post, "conversations", conversation.rawValue, "messages", body: message).with {
                $0.idempotencyKey = idempotencyKey
            })
    }
}

extension Endpoint where Answer == ReadMark.Answer {
    /// Marks read up to a message, where the server knows bounds, else everything.
    public static func markAllRead(_ conversation: Conversation.ID, upTo newest: Message.ID?) -> Self {
        Self(
            APIRequest(
                .post, "conversations", conversation.rawValue, "messages", "mark-all-read",
                body: ReadMark(upTo: newest)
            ).with { $0.isIdempotent = newest != nil })
    }
}

extension APIRequest {
    /// Opens the event stream behind `lastEventID`, or at "now". Its body is for an event-stream parser.
    public static func eventStream(after lastEventID: Event.ID?) -> APIRequest {
        APIRequest(.get, "events", "stream").with {
            $0.accept = "text/event-stream"
            $0.lastEventID = lastEventID
            $0.timeouts = .stream
        }
    }
}

extension Endpoint where Answer == EventPage {
    /// Waits up to so many seconds, 0 to 60, for events behind `cursor`, or from "now" on.
    public static func events(after cursor: Event.ID?, wait seconds: Int) -> Self {
        let seconds = min(max(seconds, 0), 60)
        return Self(
            APIRequest(.get, "events").with {
                if let cursor { $0.query.append(.init(name: "after", value: cursor.rawValue)) }
                $0.query.append(.init(name: "wait", value: String(seconds)))
                $0.timeouts = .longPoll(seconds: seconds)
            })
    }
}

extension Endpoint where Answer == Linking.Offer {
    /// Asks for a link token that another device can confirm.
    public static func initiateLink() -> Self {
        Self(APIRequest(.post, "sdk", "link", "initiate"))
    }
}

extension Endpoint where Answer == Linking.Confirmed {
    /// Joins the group of the device that showed the token.
    public static func confirmLink(_ confirmation: Linking.Confirmation) -> Self {
        Self(APIRequest(.post, "sdk", "link", "confirm", body: confirmation))
    }
}

extension Endpoint where Answer == Linking.Progress {
    public static func linkStatus(_ token: LinkToken) -> Self {
        Self(APIRequest(.get, "sdk", "link", "status", token.rawValue))
    }
}

extension Endpoint where Answer == Linking.Group {
    public static func linkedDevices() -> Self {
        Self(APIRequest(.get, "sdk", "link", "devices"))
    }
}

extension Endpoint where Answer == Linking.Removed {
    public static func removeLinkedDevice(_ device: DeviceID) -> Self {
        Self(APIRequest(.delete, "sdk", "link", "devices", device.rawValue))
    }
}

extension Endpoint where Answer == Attestation.Challenge {
    public static func attestationChallenge() -> Self {
        Self(APIRequest(.post, "device", "attest", "challenge"))
    }
}

extension Endpoint where Answer == Attestation.Accepted {
    public static func attest(_ submission: Attestation.Submission) -> Self {
        Self(APIRequest(.post, "device", "attest", body: submission))
    }
}

extension Endpoint where Answer == Attestation.State {
    public static func attestationStatus() -> Self {
        Self(APIRequest(.get, "device", "attest", "status"))
    }
}

extension Endpoint where Answer == Acknowledgement {
    public static func attestAssert(_ assertion: Attestation.Assertion) -> Self {
        Self(APIRequest(.post, "device", "attest", "assert", body: assertion))
    }

    public static func removeAttestation() -> Self {
        Self(APIRequest(.delete, "device", "attest"))
    }
}

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

/// The answer of a call that says no more than "done": any body will do, none too.
public struct Acknowledgement: Hashable, Sendable, Codable {
    public init() {}
    public init(from decoder: any Decoder) throws {}
}
