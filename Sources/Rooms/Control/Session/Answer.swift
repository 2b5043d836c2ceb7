import CutieAPI

/// A reply, and its JSON as the daemon sent it: one line.
struct Answer<Reply: Sendable>: Sendable {
    var reply: Reply
    var json: String

    init(_ reply: Reply, json: [UInt8]) {
        self.reply = reply
        self.json = JSONLine.text(json)
    }
}

extension Answer where Reply: Encodable {
    /// A reply that was changed here.
    init(_ reply: Reply) throws {
        self.init(reply, json: try JSON.encode(reply))
    }
}
