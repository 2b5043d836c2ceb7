import CutieAPI

/// The payload of a push: an argument, or standard input where it is `-`.
enum PayloadText {
    /// Throws a `Complaint` where it is too long or not UTF-8.
    static func read(_ argument: String, standardInput: (Int) throws -> [UInt8]) throws -> String {
        let limit = PushPayload.sizeLimit
        let bytes = argument == "-" ? try standardInput(limit + 1) : Array(argument.utf8)
        guard bytes.count <= limit else {
            throw Complaint(
                .badData, "the payload is larger than 64 KiB", advice: "no push service sends such")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Complaint(.badData, "the payload is not UTF-8", advice: "hand in the JSON as it came")
        }
        return text
    }
}
