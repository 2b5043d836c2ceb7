import Glibc
import Runtime

/// A connected stream socket. Reads and writes suspend the task and block no thread.
final class Channel: Sendable {
    private static let chunk = 16 * 1024

    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Waits for bytes and returns them; returns an empty array at the end of the stream.
    func read(until deadline: ContinuousClock.Instant? = nil) async throws -> [UInt8] {
        while true {
            if let bytes = try receiveWithoutWaiting() { return bytes }
            try await waitUntilReady(for: .readable, until: deadline)
        }
    }

    /// Writes all of `bytes`. Concurrent writes are not allowed.
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant? = nil) async throws {
        var rest = bytes[...]
        while true {
            rest = try sendWithoutWaiting(rest)
            if rest.isEmpty { return }
            try await waitUntilReady(for: .writable, until: deadline)
        }
    }

    /// Waits until both directions of the connection are closed. A peer that has closed only its sending
    /// direction can still receive data.
    func waitForHangUp() async throws {
        while !isHungUp {
            try await waitUntilReady(for: .hangUp)
        }
    }

    /// Shuts down both directions, so that all pending reads and writes return.
    func shutDown() {
        shutdown(descriptor.number, Int32(SHUT_RDWR))
    }

    private func waitUntilReady(for interest: Interest, until deadline: ContinuousClock.Instant? = nil)
        async throws
    {
        let isInTime = try await EventLoop.shared.wait(for: interest, on: descriptor.number, until: deadline)
        guard isInTime else { throw SocketFailure.timedOut }
    }

    private var isHungUp: Bool {
        var state = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP | POLLERR) != 0
    }

    /// Returns the bytes that are available without waiting. Returns an empty array at the end of the
    /// stream, and `nil` if there are no bytes yet.
    private func receiveWithoutWaiting() throws(SocketFailure) -> [UInt8]? {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, filled in
                count = recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
                filled = max(count, 0)
            }
            if count >= 0 { return bytes }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            case ECONNRESET, EPIPE: return []
            default: throw .currentSystemError(in: "recv")
            }
        }
    }

    /// Sends as many bytes as fit into the socket buffer. Returns the remaining bytes.
    private func sendWithoutWaiting(_ bytes: ArraySlice<UInt8>) throws(SocketFailure) -> ArraySlice<UInt8> {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent >= 0 {
                rest = rest.dropFirst(sent)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return rest
            case EPIPE, ECONNRESET: throw .peerDisconnected
            default: throw .currentSystemError(in: "send")
            }
        }
        return rest
    }
}
