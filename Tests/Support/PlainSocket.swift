import Foundation

/// A blocking client socket on this machine. It shares no code with the tested programs.
struct PlainSocket: ~Copyable {
    private let number: Int32

    init(path: String) throws {
        number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        try connect(&address)
    }

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address)
    }

    deinit { close(number) }

    func send(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the received bytes; an empty array at end of file.
    func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(number, &buffer, buffer.count, 0)
        guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return Array(buffer.prefix(count))
    }

    private func connect<Address>(_ address: inout Address) throws {
        var limit = timeval(tv_sec: Int(defaultTimeLimit.components.seconds), tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(number, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}

/// Runs blocking work on a separate thread, so that it does not block the thread pool of the tests.
func runOnBackgroundThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
}

extension RawConnection {
    /// Forwards a request to another port of 127.0.0.1 and copies the response back, until one side closes
    /// the connection. Each connection carries only one request.
    public func pass(_ request: Request, to port: UInt16) {
        defer { close() }
        guard let server = try? PlainSocket(port: port) else { return }
        let fields = request.fields.filter { !$0.lowercased().hasPrefix("connection:") }
        let head = ([request.line] + fields + ["Connection: close"]).joined(separator: "\r\n") + "\r\n\r\n"
        guard (try? server.send(Array(head.utf8) + request.body)) != nil else { return }
        while let bytes = try? server.receive(), !bytes.isEmpty, write(bytes) {}
    }
}
