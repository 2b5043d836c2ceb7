import Glibc

/// An open file descriptor, closed with the value.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    /// A new Unix stream socket, non-blocking and close-on-exec.
    static func unixSocket() throws(SocketFailure) -> Descriptor {
        let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let number = socket(AF_UNIX, Int32(flags), 0)
        guard number >= 0 else { throw .system("socket") }
        return Descriptor(owning: number)
    }

    deinit { close(number) }
}
