import CutieAPI

/// Checks the parsers of all responses and events from the API.
func checkAPI(_ bytes: [UInt8]) throws(PropertyViolation) {
    try checkValue(Event.self, bytes)
    try checkValue(EventPage.self, bytes)
    try checkValue(ConversationPage.self, bytes)
    try checkValue(Conversation.self, bytes)
    try checkValue(Message.self, bytes)
    try checkValue(CreatedConversation.self, bytes)
    try checkValue(ReadMark.Response.self, bytes)
    try checkValue(Registration.Response.self, bytes)
    try checkValue(Linking.Offer.self, bytes)
    try checkValue(Linking.Progress.self, bytes)
    try checkValue(Linking.Group.self, bytes)
    try checkValue(Attestation.Challenge.self, bytes)
    try checkValue(Attestation.Accepted.self, bytes)
    try checkValue(Attestation.State.self, bytes)
    try checkValue(Subscription.Usage.self, bytes)
    try checkValue(FeedbackApp.Pass.self, bytes)
    try checkValue(FeedbackApp.Account.self, bytes)
    try checkError(bytes)
    try checkEvent(bytes)
}

/// Checks that a value decoded from `bytes` survives an encoding round trip.
private func checkValue<Value: Codable & Hashable>(_ type: Value.Type, _ bytes: [UInt8])
    throws(PropertyViolation)
{
    guard let value = try? JSON.decode(type, from: bytes) else { return }
    guard let text = try? JSON.encode(value), let again = try? JSON.decode(type, from: text) else {
        throw PropertyViolation(description: "a \(type) cannot be written: \(value)")
    }
    try require(again == value, "a \(type) is unchanged after encoding and decoding: \(value), not \(again)")
}

private func checkError(_ bytes: [UInt8]) throws(PropertyViolation) {
    let header = String(decoding: bytes.prefix(64), as: UTF8.self)
    let error = APIError(status: 429, body: bytes, retryAfter: header, hiding: Redaction())
    if let text = error.text {
        try require(text.unicodeScalars.count <= 300, "the message of a server is truncated")
        try require(!text.unicodeScalars.contains { $0.value < 32 }, "the message of a server is one line")
    }
    if let wish = error.retryAfter {
        let delay = wish.retryDelay(now: Timestamp(milliseconds: 0))
        try require((.zero ... .seconds(86_400)).contains(delay), "\(delay) is a valid retry delay")
    }
}

private func checkEvent(_ bytes: [UInt8]) throws(PropertyViolation) {
    let event = Event(streamData: bytes, type: "message.created", id: "7")
    try require(event != nil, "an event with an ID is decoded, so that the cursor can advance")
    if let time = event?.createdAt.milliseconds {
        try require(
            time.magnitude <= 8_640_000_000_000_000, "the difference between two times never overflows")
    }
    if let usual = Event(usual: bytes) {
        let decoded = try? JSON.decode(Event.self, from: bytes)
        try require(
            usual == decoded, "the fast path and the general decoder agree: \(usual), not \(decoded as Any)")
    }
}
