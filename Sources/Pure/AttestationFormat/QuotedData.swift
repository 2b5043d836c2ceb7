/// The extraData of a TPMS_ATTEST (TPM 2.0 Library, Part 2, 10.12.12) that TPM2_Quote made.
struct QuotedData {
    let bytes: [UInt8]

    /// Nil where `attested` is anything else.
    init?(of attested: [UInt8]) {
        var rest = attested[...]
        // TPM_GENERATED_VALUE, which a TPM's key signs over nothing else, and TPM_ST_ATTEST_QUOTE.
        guard Self.take(6, from: &rest) == [0xFF, 0x54, 0x43, 0x47, 0x80, 0x18],
            Self.takeSized(from: &rest) != nil,  // who signs
            let data = Self.takeSized(from: &rest)
        else { return nil }
        bytes = data
    }

    private static func takeSized(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        take(2, from: &rest).flatMap { take(Int($0[0]) << 8 | Int($0[1]), from: &rest) }
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
