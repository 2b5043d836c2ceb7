/// The text of a message to send: an argument, or standard input where it is `-`.
enum MessageText {
    /// Bytes.
    static let limit = 1 << 20

    /// The text without the line ends after it. Throws a `Complaint` where there is none, where it is
    /// not UTF-8 or too long.
    static func read(_ argument: String, standardInput: (Int) throws -> [UInt8]) throws -> String {
        let bytes = argument == "-" ? try standardInput(limit + 1) : Array(argument.utf8)
        guard bytes.count <= limit else {
            throw Complaint(.badData, "the message is longer than 1 MiB", advice: "send it in parts")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Complaint(.badData, "the message is not UTF-8", advice: "convert it with iconv")
        }
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else {
            throw Complaint(.badData, "the message is empty", advice: "write something")
        }
        return String(text[...end])
    }
}
