import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// Found by the C library's vector search.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount, let base = baseAddress else { return false }
        return memcmp(base, word.utf8Start, count) == 0
    }
}

extension [UInt8] {
    /// Empties the buffer, and keeps its memory only while that is little: one large event must not cost
    /// its size for the rest of the connection.
    mutating func reset() {
        removeAll(keepingCapacity: capacity <= 64 << 10)
    }
}
