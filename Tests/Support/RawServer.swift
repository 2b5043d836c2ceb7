import Foundation
import Synchronization

/// A loopback server that lets a test control every byte of the responses. For each connection,
/// `script` runs on a separate thread, and the connection is closed when the script returns. Releasing
/// the server closes all connections.
public final class RawServer: Sendable {
    public let port: UInt16
    public var url: String { "http://127.0.0.1:\(port)" }
    /// The number of accepted connections.
    public var connectionCount: Int { connections.withLock { $0.count } }
    private let listener: Int32
    private let connections = Mutex<[RawConnection]>([])

    /// Starts a server. `script` receives the connection and its number, which starts at 0.
    public init(_ script: @escaping @Sendable (RawConnection, Int) -> Void) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let failure = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) != 0 || listen(listener, 64) != 0
                    || getsockname(listener, $0, &size) != 0
            }
        }
        if failure { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while case let peer = accept(listener, nil, nil), peer >= 0 {
                guard let number = self?.adopt(peer) else { break }
                Thread.detachNewThread {
                    script(number.connection, number.index)
                    number.connection.close()
                }
            }
            close(listener)
        }
    }

    deinit {
        // Interrupts `accept` on the listening thread. The thread then closes the descriptor.
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in connections.withLock({ $0 }) { connection.interrupt() }
    }

    private func adopt(_ peer: Int32) -> (connection: RawConnection, index: Int) {
        connections.withLock {
            let connection = RawConnection(peer)
            $0.append(connection)
            return (connection, $0.count - 1)
        }
    }
}
