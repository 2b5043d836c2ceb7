import Foundation
import TestSupport

/// A real HTTP/2 server in front of a `RawServer`: nghttpx ends TLS and speaks HTTP/1.1 behind.
final class HTTP2Proxy: Sendable {
    let port: UInt16
    private let process: ChildProcess
    var url: String { "https://127.0.0.1:\(port)/" }

    init(_ certificate: TestCertificates.Certificate, to server: RawServer) async throws {
        // It cannot pick a port itself; that of a server that is gone is free.
        let port = try RawServer { _, _ in }.port
        self.port = port
        let process = try ChildProcess(
            "/usr/sbin/nghttpx",
            [
                "--conf=/dev/null", "--workers=1", "--frontend=127.0.0.1,\(port)",
                "--backend=127.0.0.1,\(server.port)", certificate.keyFile, certificate.file,
            ])
        self.process = process
        try await eventually("nghttpx listens (\(process.standardError))") { process.accepts(port) }
    }
}

extension ChildProcess {
    fileprivate func accepts(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
