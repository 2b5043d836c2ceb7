import Glibc

/// The kernel cannot watch a descriptor, for instance because it is closed.
public struct WaitFailure: Error, Hashable, CustomStringConvertible {
    /// The error number.
    public let code: Int32

    public var description: String { "cannot wait: \(String(cString: strerror(code)))" }
}
