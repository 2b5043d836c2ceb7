import Foundation
import Synchronization

/// One connection of a `RawServer`, with blocking calls.
public final class RawConnection: Sendable {
    /// -1 once it is closed.
    private let descriptor: Mutex<Int32>
    private let pending = Mutex<[UInt8]>([])

    init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    /// A request as it came.
    public struct Request: Sendable {
        /// `GET /path HTTP/1.1`
        public let line: String
        /// `Name: value`
        public let fields: [String]
        public let body: [UInt8]

        public func values(of name: String) -> [String] {
            fields.filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The next request; nil where the client closed the connection before one was complete.
    public func readRequest() -> Request? {
        var bytes = pending.withLock { $0 }
        var end: Int?
        while end == nil {
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
            if end == nil { guard more(&bytes) else { return nil } }
        }
        let head = String(decoding: bytes[..<(end ?? 0)], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let request = Request(line: lines.first ?? "", fields: Array(lines.dropFirst()), body: [])
        let count = request.values(of: "Content-Length").first.flatMap { Int($0) } ?? 0
        while bytes.count < (end ?? 0) + count { guard more(&bytes) else { return nil } }
        let rest = bytes.dropFirst(end ?? 0)
        pending.withLock { $0 = Array(rest.dropFirst(count)) }
        return Request(line: request.line, fields: request.fields, body: Array(rest.prefix(count)))
    }

    /// False once the client is gone.
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

    /// A whole answer with its length.
    @discardableResult
    public func answer(_ status: String = "200 OK", _ fields: [String] = [], body: String = "") -> Bool {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        return write(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// One chunk of an answer with `Transfer-Encoding: chunked`; an empty one ends it.
    @discardableResult
    public func writeChunk(_ text: String) -> Bool {
        write(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
    }

    /// Returns when the client closed or reset the connection; what it sends is dropped. True: all is said.
    @discardableResult
    public func waitForClose() -> Bool {
        var bytes: [UInt8] = []
        while more(&bytes) { bytes.removeAll(keepingCapacity: true) }
        return true
    }

    /// The head of an event stream and a comment: it is not held back.
    public func beginStream() {
        write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: here\n\n")
    }

    /// No more bytes from here; the client's still come.
    public func finishWriting() { shutdown(number, Int32(SHUT_WR)) }

    /// Closes with RST instead of FIN.
    public func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// True: nothing more is said.
    @discardableResult
    public func close() -> Bool {
        descriptor.withLock {
            if $0 >= 0 { _ = Foundation.close($0) }
            $0 = -1
        }
        return true
    }

    /// Ends blocking calls on the script's thread, which then closes.
    func interrupt() {
        descriptor.withLock { if $0 >= 0 { shutdown($0, Int32(SHUT_RDWR)) } }
    }

    private var number: Int32 { descriptor.withLock { $0 } }

    private func more(_ bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(number, &buffer, buffer.count, 0)
        if count > 0 { bytes += buffer.prefix(count) }
        return count > 0
    }
}
