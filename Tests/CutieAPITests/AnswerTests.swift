import CutieAPI
import Reasons
import Testing

/// Tests that the daemon decodes the responses that the sandbox encodes.
@Suite struct AnswerTests {
    static let time = Timestamp(milliseconds: 1_700_000_000_000)

    static func survives<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
        try JSON.decode(Value.self, from: JSON.encode(value)) == value
    }

    @Test func `Every response from the sandbox is decoded to the value that the sandbox encoded`() throws {
        let time = Self.time
        #expect(try Self.survives(Registration.Response(deviceToken: "t", tokenID: "i", isNew: true)))
        #expect(try Self.survives(CreatedConversation(id: "c", status: .open, message: "m", createdAt: time)))
        #expect(
            try Self.survives(
                Linking.Offer(linkToken: "t", expiresAt: time, expiresIn: 300, hasExistingGroup: true)))
        #expect(try Self.survives(Linking.Confirmed(success: false, groupID: "g", message: "m")))
        #expect(
            try Self.survives(
                Linking.Progress(
                    status: .confirmed, linkToken: "t", groupID: "g", targetDeviceName: "n",
                    confirmedAt: time,
                    expiresAt: time)))
        let member = Linking.Member(
            deviceID: "d", deviceName: "n", joinedAt: time, isPrimary: true, isCurrent: false)
        #expect(try Self.survives(Linking.Group(linked: true, groupID: "g", devices: [member])))
        #expect(try Self.survives(Linking.Removed(success: true, message: nil)))
        #expect(try Self.survives(Attestation.Challenge(challenge: "c", expiresAt: time, expiresIn: 60)))
        #expect(try Self.survives(Attestation.Accepted(success: true, attestationID: "a", attested: true)))
        let key = Attestation.Key(
            keyID: "k", environment: "tpm2", signCount: 7, createdAt: time, lastAssertionAt: time)
        #expect(try Self.survives(Attestation.State(attested: true, attestation: key)))
        #expect(try Self.survives(FeedbackApp.Account(appID: "a", appName: "A", deviceID: "d", groupID: "g")))
        let counts = Subscription.Counts(
            feedbackCount: 1, feedbackLimit: 50, feedbackRemaining: 49, messageCount: 2, attachmentBytes: 3,
            storageLimitBytes: 4)
        #expect(
            try Self.survives(
                Subscription.Usage(
                    billingPeriod: "2025-01", tier: .free, state: .gracePeriod, until: time, usage: counts)))
    }

    @Test func `Responses in the formats that older servers and other implementations use are decoded`()
        throws
    {
        #expect(
            try JSON.decode(Registration.Response.self, from: #"{"device_token":"t","is_new":"yes"}"#.utf8)
                == Registration.Response(deviceToken: "t"))
        #expect(try JSON.decode(Linking.Confirmed.self, from: "{}".utf8).success)
        let group = try JSON.decode(
            Linking.Group.self, from: #"{"linked":true,"devices":[{"device_id":"d"},{"name":"?"}]}"#.utf8)
        #expect(group.devices.map(\.deviceID) == ["d"])
        let usage = try JSON.decode(Subscription.Usage.self, from: #"{"tier":"platinum"}"#.utf8)
        #expect(usage.tier.conversationLimit == nil)
        #expect(!(try JSON.decode(Attestation.Accepted.self, from: "{}".utf8).attested))
    }

    @Test func `A response body without a required field is rejected, and the error names the field`() {
        #expect(throws: UnreadableJSON(path: "initial_message", problem: .missing)) {
            try JSON.decode(NewConversation.self, from: #"{"category":"bug","app_id":"a"}"#.utf8)
        }
        #expect(throws: UnreadableJSON(path: "message", problem: .wrongType)) {
            try JSON.decode(NewMessage.self, from: #"{"message":7}"#.utf8)
        }
    }

    @Test func `A response with a hundred thousand nested lists is rejected`() {
        let deep = Array(repeatElement(UInt8(ascii: "["), count: 100_000))
        let shut = Array(repeatElement(UInt8(ascii: "]"), count: 100_000))
        let object = Array(#"{"conversation_id":"c","x":"#.utf8) + deep + shut + Array("}".utf8)
        #expect(throws: UnreadableJSON.self) { try JSON.decode(Conversation.self, from: deep + shut) }
        #expect(throws: UnreadableJSON.self) { try JSON.decode(Conversation.self, from: deep) }
        #expect(throws: UnreadableJSON.self) { try JSON.decode(Conversation.self, from: object) }
    }

    @Test func `The error for invalid JSON does not quote the JSON`() {
        let error = #expect(throws: UnreadableJSON.self) {
            try JSON.decode(Conversation.self, from: #"{"conversation_id":{"secret":"hush"}}"#.utf8)
        }
        #expect(error?.description == "conversation_id has the wrong type")
    }
}
