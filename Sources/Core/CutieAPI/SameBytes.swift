import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// Compares with `memcmp`, because ids and keys are compared for every row and member and `elementsEqual`
    /// compares byte by byte.
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let first = baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, count) == 0
    }
}
