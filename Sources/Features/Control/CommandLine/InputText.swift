import CutieAPI
import Platform

/// The text of a message: an argument, or standard input if the argument is `-`.
enum MessageArgument {
    /// The maximum size in bytes.
    static let limit = 1 << 20

    /// Returns the argument unchanged or, if the argument is `-`, standard input without trailing line
    /// breaks.
    ///
    /// - Throws: a `CommandError` if the text is empty, too long or not UTF-8.
    static func resolve(_ argument: String, readStandardInput: (Int) throws -> [UInt8]) throws -> String {
        let bytes = argument == "-" ? try readStandardInput(limit + 1) : Array(argument.utf8)
        guard bytes.count <= limit else {
            throw CommandError(.badData, "the message is longer than 1 MiB", advice: "send it in parts")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.badData, "the message is not UTF-8", advice: "convert it with iconv")
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw CommandError(.badData, "the message is empty", advice: "write a text")
        }
        // Remove trailing line breaks from standard input: programs append a line break, which is not part of
        // the text.
        return argument == "-" ? String(text[...(text.lastIndex { !$0.isNewline } ?? text.startIndex)]) : text
    }
}

/// The payload of a push: an argument, or standard input if the argument is `-`.
enum PayloadArgument {
    /// Returns the argument or, if the argument is `-`, standard input.
    ///
    /// - Throws: a `CommandError` if the payload is too long or not UTF-8.
    static func resolve(_ argument: String, readStandardInput: (Int) throws -> [UInt8]) throws -> String {
        let limit = PushPayload.sizeLimit
        let bytes = argument == "-" ? try readStandardInput(limit + 1) : Array(argument.utf8)
        guard bytes.count <= limit else {
            throw CommandError(
                .badData, "the payload is larger than 64 KiB",
                advice: "no push service sends payloads of that size")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.badData, "the payload is not UTF-8", advice: "pass the JSON unchanged")
        }
        return text
    }
}

/// A store receipt: a file, or standard input if the path is `-`.
enum ReceiptFile {
    /// The maximum size in bytes.
    static let limit = 1 << 20

    /// Returns the content of the file or, if the path is `-`, standard input.
    ///
    /// - Throws: a `CommandError` if the receipt cannot be read, is empty or is too long.
    static func readFile(at path: String, readStandardInput: (Int) throws -> [UInt8]) throws -> [UInt8] {
        let bytes = path == "-" ? try readStandardInput(limit + 1) : try readContents(of: path)
        guard bytes.count <= limit else { throw CommandError(.badData, "the receipt is larger than 1 MiB") }
        guard !bytes.isEmpty else { throw CommandError(.badData, "the receipt is empty") }
        return bytes
    }

    private static func readContents(of path: String) throws -> [UInt8] {
        do { return try SmallFile.read(path, sizeLimit: limit) } catch {
            throw CommandError(.badData, "the receipt cannot be read: \(error)", advice: "name another file")
        }
    }
}
