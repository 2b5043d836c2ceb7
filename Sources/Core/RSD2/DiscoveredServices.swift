import Varlink

/// A splitter that extracts the descriptions of services from the response of an index.
public struct DiscoveredServices {
    private static let documentLimit = 64

    private var text: JSONText
    private var documents: [[UInt8]] = []
    /// The index at which the current description starts.
    private var start = 1
    /// The number of open brackets and braces, including the bracket of the list.
    private var depth = 0

    /// Returns the JSON of each description: at most 64 elements of a list, or a single description. The
    /// descriptions are not parsed here, so that an invalid description does not affect the others.
    public static func splitDocuments(
        in answer: [UInt8]
    ) throws(ServiceDescription.Unreadable) -> [[UInt8]] {
        let text = try ServiceDocumentParser.checkedText(answer)
        switch text.first {
        case UInt8(ascii: "{"): return [text]
        case UInt8(ascii: "["):
            var services = DiscoveredServices(text: JSONText(text))
            do { try services.splitValues() } catch { throw .notJSON }
            return services.documents
        default: throw .notJSON
        }
    }

    private init(text: JSONText) { self.text = text }

    /// Splits the list at its top-level commas.
    private mutating func splitValues() throws(MessageError) {
        repeat {
            guard !text.isAtEnd else { throw .notJSON }
            let byte = text.next
            if byte == UInt8(ascii: "\"") {
                try text.skipString()
                continue
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            if depth == 0, byte == UInt8(ascii: "}") { throw .notJSON }
            if depth == 0, byte == UInt8(ascii: "]") { try endDocument(isLast: true) }
            if depth == 1, byte == UInt8(ascii: ",") { try endDocument(isLast: false) }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            _ = text.skipIfNext(byte)
        } while depth > 0
        text.skipSpaces()
        guard text.isAtEnd else { throw .notJSON }
    }

    /// Appends the current description to the result. Throws if the description is empty, unless the list is
    /// empty.
    private mutating func endDocument(isLast: Bool) throws(MessageError) {
        let document = text.bytes[start..<text.index].drop(while: ServiceDocumentParser.isSpace)
        start = text.index + 1
        guard !document.isEmpty || (isLast && documents.isEmpty) else { throw .notJSON }
        if !document.isEmpty, documents.count < Self.documentLimit { documents.append(Array(document)) }
    }
}
