import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// Compares with `memcmp`. `elementsEqual` compares byte by byte, which is too slow for IDs and keys.
    package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let first = baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, count) == 0
    }
}
