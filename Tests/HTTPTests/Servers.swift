import Foundation
import Synchronization
import TestSupport

/// A real TLS server (Python with OpenSSL) without ALPN. The body of each response contains the number of the
/// connection and the TLS version. `/poll` gets no response.
final class TLSServer: Sendable {
    let port: UInt16
    private let process: ChildProcess
    private let directory: TemporaryDirectory

    /// Starts a server that sends the certificate chain `chain`, which begins with the leaf.
    init(chain: String, keyFile: String, maximumVersion: String = "TLSv1_3") async throws {
        directory = try TemporaryDirectory()
        let script = directory.file("server.py")
        try Self.script.write(toFile: script, atomically: true, encoding: .utf8)
        process = try ChildProcess("/usr/bin/env", ["python3", "-u", script, chain, keyFile, maximumVersion])
        port = UInt16(try await process.waitForLine(after: "listening on ")) ?? 0
    }

    /// The URL of the server. The certificate is valid for the IP address in the URL.
    var url: String { "https://127.0.0.1:\(port)/" }
    /// The number of requests, including incomplete requests.
    var requestCount: Int { process.standardOutput.components(separatedBy: "request").count - 1 }
    /// The number of connections that resumed a session of an earlier connection.
    var resumedCount: Int { process.standardOutput.components(separatedBy: "resumed").count - 1 }
    var wasAsked: Bool { requestCount > 0 }

    private static let script = """
        import socket, ssl, sys, threading

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.maximum_version = ssl.TLSVersion[sys.argv[3]]
        listener = socket.create_server(("127.0.0.1", 0))
        print("listening on", listener.getsockname()[1])

        def serve(plain, number):
            try:
                peer = context.wrap_socket(plain, server_side=True)
                if peer.session_reused: print("resumed")
                received = b""
                while data := peer.recv(4096):
                    print("request")
                    received += data
                    if not received.endswith(b"\\r\\n\\r\\n") or b" /poll " in received: continue
                    received = b""
                    body = f"{number} {peer.version()}".encode()
                    peer.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
            except OSError:
                pass
            plain.close()

        number = 0
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0], number), daemon=True).start()
            number += 1
        """
}

/// A real HTTP/2 server: nghttpx terminates TLS and forwards the requests to a `RawServer` as HTTP/1.1.
final class HTTP2Proxy: Sendable {
    let port: UInt16
    private let process: ChildProcess
    var url: String { "https://127.0.0.1:\(port)/" }

    init(_ certificate: TestCertificates.Certificate, to server: RawServer) async throws {
        // nghttpx requires a port number, so this initializer uses the port of a server that has just closed.
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

/// A real HTTP/2 server: nginx. Each response contains the number of the connection, followed by `r` if the
/// TLS session was resumed, and otherwise by `.`.
final class HTTP2Server: Sendable {
    let port: UInt16
    private let process: ChildProcess
    private let directory: TemporaryDirectory
    var url: String { "https://127.0.0.1:\(port)/" }

    init(_ certificate: TestCertificates.Certificate) async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        // nginx cannot report a port that it chose, so this initializer uses the port of a server that has
        // just closed.
        let port = try RawServer { _, _ in }.port
        self.port = port
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(directory.file($0));"
        }
        let configuration = """
            daemon off; master_process off; pid \(directory.file("pid")); error_log stderr;
            events {}
            http {
                access_log off; \(paths.joined(separator: " "))
                ssl_certificate \(certificate.file); ssl_certificate_key \(certificate.keyFile);
                ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache builtin:100;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    location / { return 200 "$connection $ssl_session_reused"; }
                }
            }
            """
        let file = directory.file("nginx.conf")
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        let process = try ChildProcess("/usr/sbin/nginx", ["-e", "stderr", "-c", file])
        self.process = process
        try await eventually("nginx listens (\(process.standardError))") { process.accepts(port) }
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

/// A gate that blocks the thread of a scripted server until the test opens the gate.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits until the gate is open, but at most 30 s, so that a failing test does not hang.
    func wait() { _ = semaphore.wait(timeout: .now() + 30) }

    /// A gate that suspends the test until a scripted server opens the gate.
    final class Asynchronous: Sendable {
        private let stream = AsyncStream.makeStream(of: Void.self)

        func open() { stream.continuation.finish() }

        func wait() async {
            for await _ in stream.stream {}
        }
    }
}
