import Glibc

/// Where lines go. Nothing is buffered: a line is out when `write` returns.
struct Output: Sendable {
    /// Throws `ClosedPipe` when nobody reads any more, else a `Complaint`.
    var write: @Sendable (String) throws -> Void

    static let standard = Output { try send(Array($0.utf8), to: STDOUT_FILENO) }
    static let error = Output { try send(Array($0.utf8), to: STDERR_FILENO) }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest.removeFirst(written)
            } else if errno == EPIPE {
                throw ClosedPipe()
            } else if errno == EAGAIN {
                // A terminal shared with a program that made it non-blocking.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            } else if errno != EINTR {
                throw Complaint(.failed, "cannot write: \(String(cString: strerror(errno)))")
            }
        }
    }
}

/// Nobody reads the output any more: the end of the work, and not an error.
struct ClosedPipe: Error {}
