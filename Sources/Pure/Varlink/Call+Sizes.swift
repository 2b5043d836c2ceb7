/// A parameter that is longer than it may be.
public struct OversizedParameter: Error, Hashable {
    public let parameter: String
    /// Bytes.
    public let limit: Int
}

extension Call {
    /// Throws for the first parameter that is longer than `limit` says: a string by the bytes of its text,
    /// anything else by those of its JSON. Nothing is decoded for that.
    public func refuseParameters(
        longerThan limit: (_ parameter: String) -> Int
    ) throws(OversizedParameter) {
        for (name, range) in (parameterRanges ?? [:]).sorted(by: { $0.key < $1.key }) {
            let most = limit(name)
            guard range.count > most else { continue }
            let isText = parametersJSON[range.lowerBound] == UInt8(ascii: "\"")
            guard isText, size(ofText: range.dropFirst().dropLast(), atMost: most) else {
                throw OversizedParameter(parameter: name, limit: most)
            }
        }
    }

    /// Whether the text of a string, quotes left out, has at most `limit` bytes.
    private func size(ofText range: Range<Int>, atMost limit: Int) -> Bool {
        // The longest escape of one byte has six.
        guard range.count <= limit * 6 else { return false }
        var (size, index) = (0, range.lowerBound)
        while index < range.upperBound, size <= limit {
            if parametersJSON[index] != UInt8(ascii: "\\") {
                (size, index) = (size + 1, index + 1)
            } else if parametersJSON[index + 1] != UInt8(ascii: "u") {
                (size, index) = (size + 1, index + 2)
            } else {
                let unit = codeUnit(at: index + 2)
                // Of a pair each half counts for two of the four.
                size += UTF16.isSurrogate(unit) ? 2 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
                index += 6
            }
        }
        return size <= limit
    }

    /// Of four digits, which are there: the message is JSON.
    private func codeUnit(at index: Int) -> UInt16 {
        UInt16(String(decoding: parametersJSON[index..<index + 4], as: UTF8.self), radix: 16) ?? 0
    }
}
