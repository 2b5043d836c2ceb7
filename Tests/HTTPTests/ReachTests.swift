import Foundation
import Reasons
import TestSupport
import Testing

@testable import HTTP

/// Tests that URLs from a server can reach only remote hosts. The check uses the address of the connection
/// and not the URL.
struct ReachTests {
    private let httpClient = HTTPClient()

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.10", true), ("0.0.0.0", true), ("0.1.2.3", true),
        ("169.254.169.254", true),
        ("224.0.0.251", true), ("255.255.255.255", true), ("::", true), ("::1", true),
        ("::ffff:127.0.0.1", true),
        ("::ffff:93.184.215.14", true), ("::127.0.0.1", true), ("fe80::1", true), ("febf::1", true),
        ("ff02::fb", true),
        ("93.184.215.14", false), ("10.0.0.1", false), ("172.16.0.1", false), ("192.168.1.1", false),
        ("100.64.0.1", false), ("169.253.1.1", false), ("223.255.255.255", false),
        ("2606:2800:21f::1", false),
        ("fd00::1", false), ("fec0::1", false),
    ])
    func `An IP address is classified as local or remote`(address: String, isLocal: Bool) throws {
        #expect(try #require(PeerAddress(address)).isLocal == isLocal)
    }

    /// Hosts that refer to this computer, including the short, octal and hexadecimal address forms that
    /// libcurl accepts.
    @Test(arguments: [
        "127.0.0.1", "127.1", "0x7f000001", "0177.0.0.1", "2130706433", "0.0.0.0", "0",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "LOCALHOST", "any.localhost",
    ])
    func `Connections to this computer are refused in every notation of a loopback address`(host: String)
        async throws
    {
        let server = try everywhere()
        let url = "https://\(host):\(server.port)/a.png"
        await #expect(throws: HTTPError(.refusedAddress, .text(""))) {
            try await httpClient.send(HTTPRequest(url), policy: TLSPolicy(allowedHosts: .remoteOnly))
        }
        await #expect(throws: HTTPError(.refusedAddress, .text(""))) {
            try await httpClient.openStream(
                for: HTTPRequest(url), policy: TLSPolicy(allowedHosts: .remoteOnly))
        }
        #expect(server.connectionCount == 0)
        // Without the restriction to remote hosts, the connection reaches the listener, but TLS fails because
        // the listener does not use TLS.
        let failure = await #expect(throws: HTTPError.self) {
            try await httpClient.send(HTTPRequest(url), policy: TLSPolicy())
        }
        #expect(
            failure?.code != .refusedAddress && server.connectionCount > 0, "\(String(describing: failure))")
    }

    @Test(arguments: ["[::1]", "[::]"])
    func `Connections to an IPv6 address of this computer are refused`(host: String) async throws {
        let server = try SixListener()
        let url = "https://\(host):\(server.port)/a.png"
        await #expect(throws: HTTPError(.refusedAddress, .text(""))) {
            try await httpClient.send(HTTPRequest(url), policy: TLSPolicy(allowedHosts: .remoteOnly))
        }
        #expect(!server.wasAsked)
    }

    @Test func `A request to a server-supplied URL does not reuse the connection to the API`()
        async throws
    {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.answer(body: "here") }
        }
        #expect(try await httpClient.send(HTTPRequest(server.url)).status == 200)
        await #expect(throws: HTTPError(.refusedAddress, .text(""))) {
            try await httpClient.send(HTTPRequest(server.url), policy: TLSPolicy(allowedHosts: .remoteOnly))
        }
        #expect(server.connectionCount == 1)
    }

    @Test(
        .enabled(if: Namespace.mounts.isPossible, "mount namespaces cannot be made here (unshare -rm)")
    ) func `A host name that resolves to this computer is refused`() async throws {
        guard !Namespace.mounts.isEntered else { return }
        let child = try Namespace.mounts.run(suite: "ForeignNameTests")
        let code = try await child.waitForExit()
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("1 test "), "\(output)")
    }

    @Test(arguments: [
        ("http://127.0.0.1:3128", 3128), ("127.0.0.1:3128", 3128),
        ("http://user:word@proxy.example:8080/", 8080),
        ("socks5h://[::1]:9050", 9050), ("http://proxy.example", 1080), ("https://proxy.example", 443),
        ("", nil),
    ])
    func `The port of a proxy URL is parsed in the same way as libcurl parses it`(
        proxy: String, port: UInt16?
    ) {
        #expect(ProxyEnvironment.port(of: proxy) == port)
    }

    /// Starts a server that closes each connection immediately.
    private func everywhere() throws -> RawServer { try RawServer { connection, _ in connection.close() } }
}

/// Tests in a mount namespace whose hosts file maps remote-looking names to this computer.
@Suite(.enabled(if: Namespace.mounts.isEntered, "run by ReachTests"))
struct ForeignNameTests {
    @Test func `A host name that the hosts file maps to this computer is refused`() async throws {
        let directory = try TemporaryDirectory()
        let hosts = directory.file("hosts")
        try "127.0.0.1 loop.example.com\n::1 six.example.com\n169.254.1.1 link.example.com\n"
            .write(toFile: hosts, atomically: true, encoding: .utf8)
        try #require(mount(hosts, "/etc/hosts", "", UInt(MS_BIND), nil) == 0)
        let server = try RawServer { connection, _ in connection.close() }
        let httpClient = HTTPClient()
        for name in ["loop", "six", "link"] {
            let url = "https://\(name).example.com:\(server.port)/"
            await #expect(throws: HTTPError(.refusedAddress, .text("")), "\(name)") {
                try await httpClient.send(HTTPRequest(url), policy: TLSPolicy(allowedHosts: .remoteOnly))
            }
        }
        #expect(server.connectionCount == 0)
        let url = "https://loop.example.com:\(server.port)/"
        await #expect(throws: HTTPError.self) { try await httpClient.send(HTTPRequest(url)) }
        #expect(server.connectionCount > 0, "the name is resolved to the server")
    }
}

/// A listener on the IPv6 loopback address that never accepts connections.
private final class SixListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let descriptor = descriptor
        let failure = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) != 0 || listen(descriptor, 8) != 0
                    || getsockname(descriptor, $0, &size) != 0
            }
        }
        if failure { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        port = UInt16(bigEndian: address.sin6_port)
    }

    deinit { close(descriptor) }

    /// Whether a connection waits to be accepted.
    var wasAsked: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }
}
