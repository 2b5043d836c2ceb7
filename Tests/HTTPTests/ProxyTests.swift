import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

/// Tests with a proxy in the environment variables. Each test starts the test program again, with only the
/// suite `Errand`.
struct ProxyTests {
    @Test func `A proxy from the environment is used for remote hosts, but never for loopback addresses`()
        async throws
    {
        let asked = Mutex<[String]>([])
        let proxy = try RawServer { connection, _ in
            guard let line = connection.readRequest()?.line else { return }
            asked.withLock { $0.append(line) }
            connection.answer("403 Forbidden")
        }
        let near = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.answer() }
        }
        var environment = ProcessInfo.processInfo.environment
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy"] {
            environment[name] = proxy.url
        }
        environment["no_proxy"] = nil
        environment["NO_PROXY"] = nil
        environment[Errand.variable] = near.url
        let child = try ChildProcess(
            "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", "Errand"],
            environment: environment)
        try await eventually("the proxy is asked (\(child.standardOutput))") {
            !asked.withLock(\.isEmpty)
        }
        let code = try await child.waitForExit()
        #expect(code == 0, "\(child.standardOutput)")
        #expect(asked.withLock(\.self) == ["CONNECT api.example.invalid:443 HTTP/1.1"])
        #expect(near.connectionCount == 1)
    }

    struct Errand {
        static let variable = "CUTIED_TEST_ERRAND"
        /// A proxy on this computer could reach these hosts, so requests through the proxy must be refused.
        @Test(
            .enabled(if: near != nil),
            arguments: [
                "127.0.0.1", "127.1", "0x7f000001", "0177.0.0.1", "2130706433", "0.0.0.0", "0",
                "[::1]", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST", "any.localhost", "localhost.",
                "127.0.0.1.", "169.254.169.254", "[fe80::1]",
            ])
        func `A request to a server-supplied URL cannot reach this computer through a proxy`(host: String)
            async throws
        {
            let proxy = try #require(
                ProcessInfo.processInfo.environment["https_proxy"]?.split(separator: ":").last)
            for port in ["9", proxy] {
                let failure = await #expect(throws: HTTPError.self, "\(host)") {
                    try await HTTPClient().send(
                        HTTPRequest("https://\(host):\(port)/a.png"),
                        policy: TLSPolicy(allowedHosts: .remoteOnly)
                    )
                }
                // A resolver may not resolve a name with a trailing dot, so the request may also fail because
                // the name cannot be resolved.
                #expect([.refusedAddress, .cannotResolve].contains(failure?.code), "\(host):\(port)")
            }
        }

        private static let near = ProcessInfo.processInfo.environment[variable]

        @Test(.enabled(if: near != nil))
        func `A request to a remote host uses the proxy, and a request to a loopback address does not`()
            async throws
        {
            let httpClient = HTTPClient()
            #expect(try await httpClient.send(HTTPRequest(try #require(Self.near))).status == 200)
            await #expect(throws: HTTPError.self) {
                try await httpClient.send(HTTPRequest("https://api.example.invalid/"))
            }
        }
    }
}
