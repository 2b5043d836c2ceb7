import Foundation

/// A real nginx with its default settings on a loopback port, in front of a server.
public final class Nginx: Sendable {
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
    private static let program = "/usr/sbin/nginx"

    public let url: String
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    public init(before port: UInt16) async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        // nginx cannot report a port that it chose, so this initializer uses the port of a server that has
        // just closed.
        let own = try RawServer { _, _ in }.port
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(directory.file($0));"
        }
        let configuration = """
            daemon off; master_process off; pid \(directory.file("pid")); error_log stderr;
            events {}
            http {
                access_log off; \(paths.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(own);
                    location / { proxy_pass http://127.0.0.1:\(port); }
                }
            }
            """
        let file = directory.file("nginx.conf")
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        let process = try ChildProcess(Self.program, ["-e", "stderr", "-c", file])
        (self.process, url) = (process, "http://127.0.0.1:\(own)")
        try await eventually("nginx answers") {
            do { _ = try PlainSocket(port: own) } catch { return false }
            return true
        }
    }
}
