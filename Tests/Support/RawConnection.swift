import Foundation
import Synchronization

/// A connection of a `RawServer`. Its functions block the calling thread.
public final class RawConnection: Sendable {
    /// The file descriptor; -1 after `close()`.
    private let descriptor: Mutex<Int32>
    private let pending = Mutex<[UInt8]>([])

    init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    /// A received HTTP request.
    public struct Request: Sendable {
        /// The request line, such as `GET /path HTTP/1.1`.
        public let line: String
        /// The header fields in the form `Name: value`.
        public let fields: [String]
        public let body: [UInt8]

        public func values(of name: String) -> [String] {
            fields.filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Returns the next request; `nil` if the client closes the connection before the request is complete.
    public func readRequest() -> Request? {
        var bytes = pending.withLock { $0 }
        var end: Int?
        while end == nil {
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
            if end == nil { guard readMore(&bytes) else { return nil } }
        }
        let head = String(decoding: bytes[..<(end ?? 0)], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let request = Request(line: lines.first ?? "", fields: Array(lines.dropFirst()), body: [])
        let count = request.values(of: "Content-Length").first.flatMap { Int($0) } ?? 0
        while bytes.count < (end ?? 0) + count { guard readMore(&bytes) else { return nil } }
        let rest = bytes.dropFirst(end ?? 0)
        pending.withLock { $0 = Array(rest.dropFirst(count)) }
        return Request(line: request.line, fields: request.fields, body: Array(rest.prefix(count)))
    }

    /// Writes text. Returns `false` if the client has disconnected.
    @discardableResult
    public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes a complete response with a `Content-Length`.
    @discardableResult
    public func answer(_ status: String = "200 OK", _ fields: [String] = [], body: String = "") -> Bool {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        return write(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Writes a chunk with the transfer encoding `chunked`. An empty chunk ends the response.
    @discardableResult
    public func writeChunk(_ text: String) -> Bool {
        write(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
    }

    /// Discards received data until the client closes or resets the connection. Returns `true`, so that a
    /// script can end with this call.
    @discardableResult
    public func waitForClose() -> Bool {
        var bytes: [UInt8] = []
        while readMore(&bytes) { bytes.removeAll(keepingCapacity: true) }
        return true
    }

    /// Writes the header of an event stream and a comment, which shows the client that no proxy buffers the
    /// stream.
    public func beginStream() {
        write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: here\n\n")
    }

    /// Shuts down the sending direction; the client can still send.
    public func finishWriting() { shutdown(number, Int32(SHUT_WR)) }

    /// Closes the connection with RST instead of FIN.
    public func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Closes the connection. Returns `true`, so that a script can end with this call.
    @discardableResult
    public func close() -> Bool {
        descriptor.withLock {
            if $0 >= 0 { _ = Foundation.close($0) }
            $0 = -1
        }
        return true
    }

    /// Interrupts blocking calls on the thread of the script. The thread then closes the connection.
    func interrupt() {
        descriptor.withLock { if $0 >= 0 { shutdown($0, Int32(SHUT_RDWR)) } }
    }

    private var number: Int32 { descriptor.withLock { $0 } }

    private func readMore(_ bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(number, &buffer, buffer.count, 0)
        if count > 0 { bytes += buffer.prefix(count) }
        return count > 0
    }
}
