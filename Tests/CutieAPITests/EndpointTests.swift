import CutieAPI
import Testing

@Suite struct EndpointTests {
    struct Call: CustomTestStringConvertible {
        let request: APIRequest
        let line: String
        let body: String?
        var testDescription: String { line }

        init(_ request: APIRequest, _ line: String, _ body: String? = nil) {
            self.request = request
            self.line = line
            self.body = body
        }
    }

    static let facts = DeviceFacts(language: "de", country: "AT", appVersion: "1")

    static let conversations: [Call] = [
        Call(
            Endpoint.createConversation(
                NewConversation(
                    category: .bug, initialMessage: "Hi", appID: "app_1", title: "T", device: facts),
                idempotencyKey: "k"
            ).request, "POST /v1/conversations",
            """
            {"app_id":"app_1","app_version":"1","category":"bug","country":"AT","initial_message":"Hi",\
            "language":"de","title":"T"}
            """),
        Call(Endpoint.listConversations().request, "GET /v1/conversations?limit=50&offset=0"),
        Call(
            Endpoint.listConversations(limit: 1000, offset: -1).request,
            "GET /v1/conversations?limit=100&offset=0"),
        Call(Endpoint.conversation("c 1").request, "GET /v1/conversations/c%201"),
        Call(
            Endpoint.sendMessage(NewMessage(text: "a/b"), to: "c1", idempotencyKey: "k").request,
            "POST /v1/conversations/c1/messages", #"{"message":"a/b"}"#),
        Call(
            Endpoint.markMessagesRead(in: "c1", upTo: "m1").request,
            "POST /v1/conversations/c1/messages/mark-all-read", #"{"up_to":"m1"}"#),
        Call(
            Endpoint.markMessagesRead(in: "c1", upTo: nil).request,
            "POST /v1/conversations/c1/messages/mark-all-read", "{}"),
        Call(APIRequest.eventStream(after: "7"), "GET /v1/events/stream"),
        Call(Endpoint.events(after: "a&b", maxWaitSeconds: 99).request, "GET /v1/events?after=a%26b&wait=60"),
        Call(Endpoint.events(after: nil, maxWaitSeconds: -1).request, "GET /v1/events?wait=0"),
    ]

    static let device: [Call] = [
        Call(
            Endpoint.register(Registration(appID: "app_1", osVersion: "12")).request,
            "POST /v1/device/register", #"{"app_id":"app_1","os_version":"12"}"#),
        Call(
            Endpoint.unregisterNotifications().request, "DELETE /v1/notifications/unregister",
            #"{"platform":"linux"}"#),
        Call(
            Endpoint.activityPing(ActivityPing(hashedDeviceID: "ff", device: facts)).request,
            "POST /v1/activity/ping",
            #"{"app_version":"1","consent":true,"country":"AT","hashed_device_id":"ff","language":"de"}"#),
        Call(Endpoint.initiateLink().request, "POST /v1/sdk/link/initiate", "{}"),
        Call(
            Endpoint.confirmLink(Linking.Confirmation(linkToken: "t")).request,
            "POST /v1/sdk/link/confirm", #"{"link_token":"t"}"#),
        Call(Endpoint.linkStatus(of: "t/t").request, "GET /v1/sdk/link/status/t%2Ft"),
        Call(Endpoint.linkedDevices().request, "GET /v1/sdk/link/devices"),
        Call(Endpoint.removeLinkedDevice("device_1").request, "DELETE /v1/sdk/link/devices/device_1"),
        Call(Endpoint.attestationChallenge().request, "POST /v1/device/attest/challenge", "{}"),
        Call(
            Endpoint.attest(Attestation.Submission(keyID: "k", attestation: "YQ==")).request,
            "POST /v1/device/attest", #"{"attestation":"YQ==","key_id":"k"}"#),
        Call(
            Endpoint.assertAttestedKey(Attestation.Assertion(keyID: "k", assertion: "YQ==", clientData: "d"))
                .request,
            "POST /v1/device/attest/assert", #"{"assertion":"YQ==","client_data":"d","key_id":"k"}"#),
        Call(Endpoint.attestationStatus().request, "GET /v1/device/attest/status"),
        Call(Endpoint.removeAttestation().request, "DELETE /v1/device/attest"),
        Call(
            Endpoint.verifySubscription(
                Subscription.Receipt(platform: "p", receiptData: "YQ==", productID: "x")
            ).request, "POST /v1/subscription/verify",
            #"{"platform":"p","product_id":"x","receipt_data":"YQ=="}"#),
        Call(Endpoint.usage().request, "GET /v1/usage"),
        Call(
            Endpoint.generateFeedbackToken(for: FeedbackApp.Host(deviceID: "d", appID: "a")).request,
            "POST /v1/feedback-app/generate-token", #"{"app_id":"a","device_id":"d"}"#),
        Call(
            Endpoint.previewFeedbackToken("t").request, "POST /v1/feedback-app/preview", #"{"token":"t"}"#),
        Call(
            Endpoint.redeemFeedbackToken("t").request, "POST /v1/feedback-app/redeem", #"{"token":"t"}"#),
    ]

    @Test(arguments: conversations + device)
    func `The HTTP method, target and body of each request match the API contract`(_ call: Call) {
        #expect("\(call.request.method.rawValue) \(call.request.target)" == call.line)
        #expect(call.request.body.map { String(decoding: $0, as: UTF8.self) } == call.body)
    }

    @Test func `A request for a push registration contains the push token`() throws {
        let token = try #require(PushToken(rawValue: String(repeating: "ab", count: 16)))
        let request = Endpoint.registerNotifications(PushRegistration(pushToken: token)).request
        let body = try #require(request.body)
        #expect(request.target == "/v1/notifications/register")
        #expect(try JSON.decode(PushRegistration.self, from: body).pushToken == token)
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("a?b#c", "a%3Fb%23c"), ("a\r\nX: y", "a%0D%0AX%3A%20y"), ("%2e%2e", "%252e%252e"),
        ("ü", "%C3%BC"), ("\u{0}", "%00"), ("...", "..."), ("..", "%252E%252E"), (".", "%252E"), ("", "%25"),
        ("..\\..", "..%5C.."), (";a=b", "%3Ba%3Db"),
    ])
    func `An ID cannot change the path of a request`(_ id: String, _ segment: String) {
        let path = Endpoint.conversation(Conversation.ID(id)).request.path
        #expect(path == "/v1/conversations/" + segment)
        #expect(path.split(separator: "/", omittingEmptySubsequences: false).count == 4)
    }

    @Test func `The HTTP headers of each request match the API contract`() {
        let request = Endpoint.sendMessage(NewMessage(text: "x"), to: "c", idempotencyKey: "key-1").request
        #expect(request.headers.contains(.init(name: "Idempotency-Key", value: "key-1")))
        #expect(request.headers.contains(.init(name: "Content-Type", value: "application/json")))
        let stream = APIRequest.eventStream(after: "17")
        #expect(stream.headers.contains(.init(name: "Accept", value: "text/event-stream")))
        #expect(stream.headers.contains(.init(name: "Cache-Control", value: "no-cache")))
        #expect(stream.headers.contains(.init(name: "Last-Event-ID", value: "17")))
    }

    @Test(arguments: [("", 1), ("a\r\nX-Evil: 1", 1), ("a\u{0}", 1), ("\u{7F}", 1), ("a", 5000)])
    func `An event ID that is not a valid header value is omitted from the request`(
        _ text: String, times: Int
    ) {
        let id = Event.ID(String(repeating: text, count: times))
        let headers = APIRequest.eventStream(after: id).headers
        #expect(!headers.contains { $0.name == "Last-Event-ID" })
        #expect(headers.allSatisfy { !$0.value.contains("\n") })
    }

    @Test func `The idempotency and the timeouts of each request match the API contract`() {
        let post = Endpoint.sendMessage(NewMessage(text: "x"), to: "c", idempotencyKey: "k").request
        #expect(!post.isIdempotent)
        #expect(Endpoint.listConversations().request.isIdempotent)
        #expect(Endpoint.markMessagesRead(in: "c", upTo: "m").request.isIdempotent)
        #expect(!Endpoint.markMessagesRead(in: "c", upTo: nil).request.isIdempotent)
        #expect(post.timeouts.transfer == .seconds(60))
        #expect(Endpoint.events(after: nil, maxWaitSeconds: 60).request.timeouts.transfer == .seconds(120))
        #expect(APIRequest.eventStream(after: nil).timeouts.transfer == nil)
        #expect(Endpoint.usage().request.needsDeviceSecret)
        #expect(!post.needsDeviceSecret)
    }

    @Test(arguments: ["", "{}", "[1]", "OK", #"{"success":true}"#])
    func `Any response body is accepted if the request expects no body`(_ body: String) throws {
        #expect(try Endpoint.removeAttestation().decodeResponse(from: body.utf8) == Acknowledgement())
    }

    @Test func `A response with an unexpected structure is rejected`() {
        #expect(throws: UnreadableJSON(path: "token", problem: .missing)) {
            try Endpoint.redeemPass.decodeResponse(from: "{}".utf8)
        }
        #expect(throws: UnreadableJSON(path: "", problem: .notJSON)) {
            try Endpoint.listConversations().decodeResponse(from: "<html>".utf8)
        }
    }
}

extension Endpoint where Response == FeedbackApp.Pass {
    fileprivate static var redeemPass: Self {
        .generateFeedbackToken(for: FeedbackApp.Host(deviceID: "d", appID: "a"))
    }
}
