/// An IPv4 address in strict form: four decimal numbers without leading zeros.
struct IPv4Address {
    let parts: [UInt8]

    var isLoopback: Bool { parts[0] == 127 }

    init?(_ text: some StringProtocol) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 4 else { return nil }
        var parts: [UInt8] = []
        for word in words {
            guard word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                return nil
            }
            guard word.utf8.count == 1 || !word.hasPrefix("0"), let part = UInt8(word) else { return nil }
            parts.append(part)
        }
        self.parts = parts
    }
}

/// An IPv6 address of eight groups. `::` can replace groups that are 0, and an IPv4 address can replace the
/// last two groups.
struct IPv6Address {
    private let groups: [UInt16]

    var isLoopback: Bool { groups == [0, 0, 0, 0, 0, 0, 0, 1] }

    init?(_ text: Substring) {
        guard let gap = Self.findDoubleColon(in: text) else {
            guard let groups = Self.parseGroups(text), groups.count == 8 else { return nil }
            self.groups = groups
            return
        }
        guard let head = Self.parseGroups(text[..<gap.lowerBound], isLastPart: false),
            let tail = Self.parseGroups(text[gap.upperBound...]), head.count + tail.count < 8
        else { return nil }
        groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func findDoubleColon(in text: Substring) -> Range<Substring.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == ":", next < text.endIndex, text[next] == ":" {
                return index..<text.index(after: next)
            }
            index = next
        }
        return nil
    }

    /// Parses groups of hexadecimal digits; returns `nil` if `text` is invalid. `isLastPart`: whether
    /// `text` is the last part of the address. Only
    /// the last part may end with an IPv4 address.
    private static func parseGroups(_ text: Substring, isLastPart: Bool = true) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (position, word) in words.enumerated() {
            if isLastPart, position == words.count - 1, let quad = IPv4Address(word)?.parts {
                groups.append(UInt16(quad[0]) << 8 | UInt16(quad[1]))
                groups.append(UInt16(quad[2]) << 8 | UInt16(quad[3]))
                continue
            }
            guard (1...4).contains(word.utf8.count),
                word.utf8.allSatisfy({ Hexadecimal.hexValue(of: $0) != nil })
            else { return nil }
            guard let group = UInt16(word, radix: 16) else { return nil }
            groups.append(group)
        }
        return groups
    }
}
