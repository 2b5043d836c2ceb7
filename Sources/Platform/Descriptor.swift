import Glibc

/// An open file descriptor, closed with the value.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Throws where `number` is negative: the call that should have made it failed.
    init(_ number: Int32, from call: @autoclosure () -> String) throws(SystemFailure) {
        guard number >= 0 else { throw SystemFailure(call()) }
        self.number = number
    }

    /// The number without the duty to close it, which is the caller's now.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit { close(number) }
}
