import Glibc

/// An unbuffered output: `write` returns after the string was written.
struct Output: Sendable {
    /// Writes a string, even if the descriptor is non-blocking.
    ///
    /// - Throws: `ClosedPipe` if the reader has closed the pipe, a `CommandError` for other failures.
    var write: @Sendable (String) throws -> Void

    static let standard = Output { try writeAll(Array($0.utf8), to: STDOUT_FILENO) }
    static let error = Output { try writeAll(Array($0.utf8), to: STDERR_FILENO) }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest.removeFirst(written)
            } else if errno == EPIPE {
                throw ClosedPipe()
            } else if errno == EAGAIN {
                // Wait until the descriptor accepts data: another program on the same terminal may have made
                // the descriptor non-blocking.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            } else if errno != EINTR {
                throw CommandError(.failed, "cannot write: \(String(cString: strerror(errno)))")
            }
        }
    }
}

/// The error if the reader has closed the pipe. The command then ends without a message.
struct ClosedPipe: Error {}

/// Formats JSON on one line, with escaped control characters.
enum JSONLine {
    /// Returns equivalent JSON on one line. Replaces line breaks, which JSON allows only between values,
    /// with spaces, and escapes the control characters that JSON allows in strings.
    static func singleLineText(of json: [UInt8]) -> String {
        var result = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x0D: result += " "
            case 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Exit handlers for commands that print until they are interrupted.
enum Streaming {
    /// Makes the program exit with 0 and without a message on Ctrl-C, or when the reader closes the pipe.
    /// A thread waits until the pipe is closed; otherwise, only the next write would detect this, maybe
    /// hours later.
    static func installQuietExitHandlers() {
        signal(SIGINT) { _ in _exit(ExitStatus.done.rawValue) }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                // Request no events: `poll` then returns only when the other end of the pipe is closed.
                var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                while poll(&output, 1, -1) <= 0 {}
                _exit(ExitStatus.done.rawValue)
            }, nil)
    }
}
