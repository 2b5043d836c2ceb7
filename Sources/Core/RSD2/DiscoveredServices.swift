import JSONReading

/// A splitter that extracts the service descriptions from the response of an index of services.
public struct DiscoveredServices {
    private static let documentLimit = 64

    private let text: [UInt8]
    private var documents: [[UInt8]] = []
    /// The offset in `text` at which the current description starts.
    private var start = 1

    /// Returns the JSON of each description: at most 64 elements of a list, or a single description. The
    /// descriptions are not parsed here, so that an invalid description does not affect the others.
    public static func splitDocuments(
        in answer: [UInt8]
    ) throws(ServiceDescription.ParseError) -> [[UInt8]] {
        let text = try ServiceDocumentParser.checkedDocument(answer)
        switch text.first {
        case UInt8(ascii: "{"): return [text]
        case UInt8(ascii: "["):
            var services = DiscoveredServices(text: text)
            do { try services.splitValues() } catch { throw .notJSON }
            return services.documents
        default: throw .notJSON
        }
    }

    private init(text: [UInt8]) { self.text = text }

    private mutating func splitValues() throws(JSONError) {
        let text = text
        try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            var cursor = JSONCursor(bytes)
            try splitValues(from: &cursor)
            try cursor.expectEnd()
        }
    }

    /// Splits the list at its top-level commas.
    private mutating func splitValues(from cursor: inout JSONCursor) throws(JSONError) {
        // The number of open brackets and braces, including the bracket of the list.
        var depth = 0
        repeat {
            guard !cursor.isAtEnd else { throw .notJSON }
            let byte = cursor.next
            if byte == UInt8(ascii: "\"") {
                try cursor.skipString()
                continue
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            if depth == 0, byte == UInt8(ascii: "}") { throw .notJSON }
            if depth == 0, byte == UInt8(ascii: "]") { try finishDocument(at: cursor.index, isLast: true) }
            if depth == 1, byte == UInt8(ascii: ",") { try finishDocument(at: cursor.index, isLast: false) }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            _ = cursor.skipIfNext(byte)
        } while depth > 0
    }

    /// Stores the current description. Throws if the description is empty, but accepts an empty list.
    private mutating func finishDocument(at end: Int, isLast: Bool) throws(JSONError) {
        let document = text[start..<end].drop(while: ServiceDocumentParser.isSpace)
        start = end + 1
        guard !document.isEmpty || (isLast && documents.isEmpty) else { throw .notJSON }
        if !document.isEmpty, documents.count < Self.documentLimit { documents.append(Array(document)) }
    }
}
