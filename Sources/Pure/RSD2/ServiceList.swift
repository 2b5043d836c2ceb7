import CutieAPI
public import OAuth

/// `services.txt` of a host: where descriptions of its services are, one link a line.
///
/// A link may lead to another host: it only points at a description, which counts where
/// `ServiceDescription.isFrom` says that it is from there.
public struct ServiceList: Hashable, Sendable {
    /// Bytes.
    public static let sizeLimit = 64 << 10
    private static let lineLimit = 64

    /// Each once, in their order.
    public let links: [EndpointURL]

    /// Why a text is no list. Never repeats it.
    public enum Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        case tooLarge
        case tooManyLines
        case notUTF8
        /// Some servers answer with one in the place of what is not there.
        case page

        public var description: String {
            switch self {
            case .tooLarge: "the list of services is larger than \(ServiceList.sizeLimit >> 10) KiB"
            case .tooManyLines: "the list of services has more than \(ServiceList.lineLimit) links"
            case .notUTF8: "the list of services is not UTF-8"
            case .page: "it is a web page, and no list of services"
            }
        }
    }

    /// `host`: who was asked; links without a host are read from its top. What follows `#` at the beginning of a line
    /// or behind a space is a comment. Links that may not be followed are left out.
    public init(_ text: [UInt8], at host: EndpointURL) throws(Unreadable) {
        guard text.count <= Self.sizeLimit else { throw .tooLarge }
        guard let text = String(validating: Document.unmarked(text), as: UTF8.self) else { throw .notUTF8 }
        let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { Self.link(Array($0)) }.filter { !$0.isEmpty }
        guard lines.first?.first != UInt8(ascii: "<") else { throw .page }
        guard lines.count <= Self.lineLimit else { throw .tooManyLines }
        let base = LinkBase(hostOf: host)
        var seen: Set<EndpointURL> = []
        links = lines.compactMap { try? base.url(String(decoding: $0, as: UTF8.self)) }
            .filter { seen.insert($0).inserted }
    }

    /// Of a line, without what is around it; empty where it has none.
    private static func link(_ line: [UInt8]) -> ArraySlice<UInt8> {
        let comment = line.indices.first { index in
            line[index] == UInt8(ascii: "#") && (index == 0 || Document.isSpace(line[index - 1]))
        }
        let link = line[..<(comment ?? line.endIndex)].drop(while: Document.isSpace)
        return link.lastIndex { !Document.isSpace($0) }.map { link[...$0] } ?? []
    }
}
