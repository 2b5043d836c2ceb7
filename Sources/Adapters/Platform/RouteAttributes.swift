/// The attributes behind the fixed part of a route message: length, kind, value, again and again.
struct RouteAttributes {
    private var values: [Int32: ArraySlice<UInt8>] = [:]

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let length = rest.number(at: 0, as: UInt16.self).map(Int.init), length >= 4,
            length <= rest.count,
            let kind = rest.number(at: 2, as: UInt16.self)
        {
            values[Int32(kind)] = rest.prefix(length).dropFirst(4)
            rest = rest.dropFirst(aligned(length))
        }
    }

    subscript(kind: Int32) -> ArraySlice<UInt8>? { values[kind] }
}

/// Messages and attributes begin at multiples of 4.
func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

extension ArraySlice<UInt8> {
    /// In the byte order of this machine, counted from the slice's start; nil where it is cut off.
    func number<Number: FixedWidthInteger>(at offset: Int, as: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard offset + size <= count else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}
