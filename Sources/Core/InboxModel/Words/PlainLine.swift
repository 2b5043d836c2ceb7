/// A builder for one line from untrusted text. Line breaks become spaces; control characters and
/// bidirectional formatting characters are discarded.
struct PlainLine {
    private let limit: Int
    private var scalars = String.UnicodeScalarView()
    /// The length of the line in Unicode scalars.
    private(set) var count = 0
    private var readCount = 0
    private var endsInSpace = true

    /// Creates an empty line.
    ///
    /// - Parameter limit: the maximum number of Unicode scalars to read, not counting discarded scalars.
    init(limit: Int) { self.limit = limit }

    private var isFull: Bool { readCount >= limit }

    /// Appends a scalar. Returns `false` if the line is now full.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x09...0x0D, 0x85, 0x2028, 0x2029:
            if !endsInSpace { appendVisible(" ") }
            endsInSpace = true
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: return true
        default:
            appendVisible(scalar)
            endsInSpace = false
        }
        readCount += 1
        return !isFull
    }

    private mutating func appendVisible(_ scalar: Unicode.Scalar) {
        scalars.append(scalar)
        count += 1
    }

    /// The text of the line; ends with an ellipsis if the limit was reached.
    var text: String {
        if isFull { return String(scalars) + "…" }
        return String(scalars.last == " " ? String.UnicodeScalarView(scalars.dropLast()) : scalars)
    }
}

/// Returns untrusted text on one line: at most `limit` Unicode scalars, followed by an ellipsis if the
/// limit was reached.
func plainLine(_ text: some StringProtocol, limit: Int) -> String {
    var line = PlainLine(limit: limit)
    for scalar in text.unicodeScalars where !line.append(scalar) { break }
    return line.text
}
