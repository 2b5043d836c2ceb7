import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// `elementsEqual` goes byte by byte, and ids and keys are compared at each row and each member.
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let first = baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, count) == 0
    }
}
