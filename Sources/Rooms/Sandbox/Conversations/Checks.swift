import CutieAPI

extension NewConversation {
    /// Throws 422 where a server would not know what to do with it.
    func check(appID: String) throws(Refusal) {
        guard self.appID == appID else { throw Refusal(.unauthorized, "app_id is another than X-App-ID") }
        try category.check()
        try initialMessage.checkMessage("initial_message")
    }
}

extension String {
    func checkMessage(_ name: String) throws(Refusal) {
        guard contains(where: { !$0.isWhitespace }) else {
            throw Refusal(.unprocessable, "\(name) must not be empty")
        }
    }
}

extension CutieAPI.Category {
    func check() throws(Refusal) { try checkWord("category", self, of: Self.known) }
}

extension Status {
    func check() throws(Refusal) { try checkWord("status", self, of: Self.known) }
}

extension Priority {
    func check() throws(Refusal) { try checkWord("priority", self, of: Self.known) }
}

private func checkWord<Word: OpenEnum>(_ name: String, _ word: Word, of known: [Word]) throws(Refusal) {
    guard known.contains(word) else {
        let words = known.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.unprocessable, "\(name) must be one of \(words)")
    }
}

extension PageRequest {
    /// More than 100 are not given; what is no number is refused.
    init(_ call: Call) throws(Refusal) {
        limit = min(try call.number("limit", default: 50, in: 1...Int.max), 100)
        offset = try call.number("offset", default: 0, in: 0...Int.max)
        status = call.query("status").map(Status.init)
        category = call.query("category").map(CutieAPI.Category.init)
        try status?.check()
        try category?.check()
    }
}
