import Glibc

/// A system call that failed.
public struct SystemFailure: Error, Hashable, Sendable {
    /// The call and what it was about, such as `open /etc/hosts`.
    public let call: String
    /// Its errno.
    public let code: Int32

    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }
}

extension SystemFailure: CustomStringConvertible {
    public var description: String { call + ": " + String(cString: strerror(code)) }
}
