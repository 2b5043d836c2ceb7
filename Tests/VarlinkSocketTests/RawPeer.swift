import Glibc
import TestSupport

/// A Varlink client that sends exactly the bytes that a test specifies, and returns received bytes unchanged.
final class RawPeer {
    struct Refused: Error { let code: Int32 }

    let descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var isClosed = false

    init(_ path: String) throws {
        let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        descriptor = socket(AF_UNIX, Int32(flags), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Refused(code: errno) }
    }

    deinit { close(descriptor) }

    /// Sends all of `text`; waits while the server does not read. Returns `false` if the server has
    /// disconnected.
    @discardableResult
    func send(_ text: String) async throws -> Bool { try await send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) async throws -> Bool {
        var rest = bytes[...]
        var isGone = false
        try await eventually("the socket accepts more bytes") {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { rest = rest.dropFirst(count) }
            isGone = count < 0 && errno != EAGAIN
            return rest.isEmpty || isGone
        }
        return !isGone
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the next message without its NUL; `nil` if the server closes the connection first.
    func message() async throws -> String? {
        try await eventually("a message or the end") {
            look()
            return isClosed || received.contains(0)
        }
        guard let end = received.firstIndex(of: 0) else { return nil }
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
    }

    /// Waits until the server has closed the connection. The remaining bytes are in `received`.
    func end() async throws {
        try await eventually("the server closes") {
            look()
            return isClosed
        }
    }

    private func look() {
        var chunk = [UInt8](repeating: 0, count: 65536)
        while !isClosed {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 { received += chunk.prefix(count) }
            isClosed = count == 0 || (count < 0 && errno == ECONNRESET)
            if count <= 0 { return }
        }
    }
}
