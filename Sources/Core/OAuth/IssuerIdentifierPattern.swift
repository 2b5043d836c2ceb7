/// An issuer identifier from the metadata of an issuer. The identifier can contain a placeholder for
/// the tenant.
struct IssuerIdentifierPattern: Sendable {
    private static let placeholder = "{tenantid}"

    private let text: String
    /// The text before and after the placeholder; `nil` if the identifier contains no placeholder.
    private let parts: (before: Substring, after: Substring)?

    init(_ text: String) {
        self.text = text
        let segments = text.ranges(of: "/" + Self.placeholder + "/")
        parts =
            segments.count == 1
            ? segments.first.map { (text[..<$0.lowerBound], text[$0.upperBound...]) } : nil
    }

    /// Returns whether `name` matches the identifier. `tenant`: the only tenant that is valid; `nil` if any
    /// tenant is valid.
    func matches(_ name: String, tenant: String? = nil) -> Bool {
        guard let parts else { return name.utf8.elementsEqual(text.utf8) }
        let (before, after) = (parts.before + "/", "/" + parts.after)
        guard name.hasPrefix(before), name.hasSuffix(after),
            name.utf8.count > before.utf8.count + after.utf8.count
        else { return false }
        let segment = name.dropFirst(before.count).dropLast(after.count)
        guard segment.utf8.allSatisfy(Self.isTenantByte) else { return false }
        return tenant.map { $0.utf8.elementsEqual(segment.utf8) } ?? true
    }

    /// Whether the identifier contains the placeholder, so that an ID token must contain a tenant.
    var needsTenant: Bool { parts != nil }

    private static func isTenantByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
