import Foundation

/// A proxy in front of a server. It forwards all requests except those for which the test defines a fault.
public final class FaultyProxy: Sendable {
    /// A function that handles a request instead of the server.
    public typealias Fault = @Sendable (RawConnection) -> Void

    private let server: RawServer
    private let calls = CallCounter()
    public var url: String { server.url }
    public var port: UInt16 { server.port }

    /// Creates a proxy.
    ///
    /// - Parameter faults: the faults. Each key is the beginning of a request line.
    public init(before port: UInt16, _ faults: [String: Fault]) throws {
        let calls = calls
        server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if let fault = faults.first(where: { request.line.hasPrefix($0.key) }) {
                    _ = calls.record(fault.key)
                    fault.value(connection)
                    continue
                }
                // Each connection carries only one request, so the response ends when the server closes the
                // connection.
                try? Self.pass(request, to: port, back: connection)
                return
            }
        }
    }

    /// Returns the number of requests that the fault of `call` handled.
    public func requestCount(of call: String) -> Int { calls.count(of: call) }

    private static func pass(
        _ request: RawConnection.Request, to port: UInt16, back connection: RawConnection
    ) throws {
        let socket = try PlainSocket(port: port)
        let fields = request.fields.filter { !$0.lowercased().hasPrefix("connection:") }
        let head = ([request.line] + fields + ["Connection: close"]).joined(separator: "\r\n") + "\r\n\r\n"
        try socket.send(Array(head.utf8) + request.body)
        while case let bytes = try socket.receive(), !bytes.isEmpty {
            guard connection.write(bytes) else { return }
        }
    }
}
