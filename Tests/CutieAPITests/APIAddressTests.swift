import CutieAPI
import Reasons
import Testing

@Suite struct APIAddressTests {
    @Test(arguments: [
        ("https://api.cuti-e.com", "https://api.cuti-e.com"),
        ("https://api.cuti-e.com/", "https://api.cuti-e.com"),
        ("HTTPS://API.Cuti-E.com:443//", "https://api.cuti-e.com"),
        ("https://example.org:8443/cutie/api/", "https://example.org:8443/cutie/api"),
        ("https://example.org/a%20b", "https://example.org/a%20b"),
        ("https://192.0.2.1", "https://192.0.2.1"),
        ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
        ("https://my_host.example", "https://my_host.example"),
        ("http://127.0.0.1:8787", "http://127.0.0.1:8787"),
        ("http://127.255.0.3:80/", "http://127.255.0.3"),
        ("http://LOCALHOST:8787", "http://localhost:8787"),
        ("http://[::1]:80", "http://[::1]"),
        ("http://[0:0:0:0:0:0:0:1]:8080", "http://[0:0:0:0:0:0:0:1]:8080"),
        ("http://[0::0.0.0.1]", "http://[0::0.0.0.1]"),
    ])
    func `Equivalent API addresses are normalized to the same text`(_ text: String, _ expected: String) throws
    {
        let address = try APIAddress(text)
        #expect(address.description == expected)
        #expect(try APIAddress(address.description) == address)
        #expect(address.isLoopback == text.lowercased().hasPrefix("http:"))
    }

    @Test(
        arguments: [
            ("http://api.cuti-e.com", APIAddress.ParseError.plainHTTP),
            ("http://127.0.0.1.evil.com", .plainHTTP), ("http://localhost.evil.com", .plainHTTP),
            ("http://evil.localhost", .plainHTTP), ("http://128.0.0.1", .plainHTTP),
            ("http://0.0.0.0", .plainHTTP), ("http://[::]", .plainHTTP),
            ("http://[::ffff:127.0.0.1]", .plainHTTP),
            ("http://[::2]", .plainHTTP), ("http://[1::1]", .plainHTTP),
            ("http://127.1", .numericHost), ("http://2130706433", .numericHost),
            ("http://0x7f000001", .numericHost),
            ("http://0x7F.0.0.1", .numericHost), ("http://0177.0.0.1", .numericHost),
            ("http://127.0.0.01", .numericHost), ("http://127.0.0.256", .numericHost),
            ("http://127.0.0.1.", .numericHost), ("http://127.0.0.0x1", .numericHost),
            ("https://1.2.3.4.5", .numericHost), ("https://evil.0x", .numericHost),
            ("http://[::1", .numericHost), ("http://[::1%25lo]", .numericHost), ("http://[:1]", .numericHost),
            ("http://[1:2:3:4:5:6:7:8:9]", .numericHost), ("http://[::1::]", .numericHost),
            ("http://[]", .numericHost),
            ("http://[1:2:3:4:5:6:7::8]", .numericHost), ("http://[1.2.3.4::1]", .numericHost),
            ("http://[:::1]", .numericHost), ("http://[+1::1]", .numericHost),
            ("http://[localhost]", .numericHost),
            ("http://[::1]evil.com", .host), ("http://[::1]@evil.com", .userInformation),
            ("https://user:secret@api.cuti-e.com", .userInformation),
            ("http://127.0.0.1@evil.com", .userInformation),
            ("http://localhost:80@evil.com:80", .userInformation),
            ("https://@api.cuti-e.com", .userInformation),
            ("https://api.cuti-e.com?x", .queryOrFragment), ("https://api.cuti-e.com/#x", .queryOrFragment),
            ("http://evil.com#@127.0.0.1", .userInformation),
            ("http://evil.com#.localhost", .queryOrFragment),
            ("http://evil.com\\@127.0.0.1", .characters), ("https://api.cuti-e.com\n", .characters),
            (" https://api.cuti-e.com", .characters), ("https://api.cuti-e.com/\u{0}", .characters),
            ("https://münchen.example", .characters), ("https://ａpi.cuti-e.com", .characters), ("", .scheme),
            ("api.cuti-e.com", .scheme), ("ftp://api.cuti-e.com", .scheme), ("file:///etc/passwd", .scheme),
            ("https:api.cuti-e.com", .scheme), ("https:/api.cuti-e.com", .scheme),
            ("localhost:8787", .scheme),
            ("https://", .host), ("https:///path", .host), ("https://:443", .host), ("https://a..b", .host),
            ("https://api.cuti-e.com.", .host), ("https://.com", .host), ("https://-a.com", .host),
            ("https://a-.com", .host), ("https://%61pi.cuti-e.com", .host), ("https://a*b", .host),
            ("https://a.com:", .port), ("https://a.com:0", .port), ("https://a.com:65536", .port),
            ("https://a.com:x", .port), ("https://a.com:-1", .port), ("https://a.com:443:443", .port),
            ("https://a.com:000443", .port), ("https://a.com/../b", .path), ("https://a.com/a/.", .path),
            ("https://a.com/%2e%2E/b", .path), ("https://a.com/%2", .path), ("https://a.com/%zz", .path),
            ("https://a.com/%0d%0aX", .path),
        ] as [(String, APIAddress.ParseError)])
    func `An ambiguous API address is rejected`(_ text: String, _ reason: APIAddress.ParseError) {
        #expect(throws: reason) { try APIAddress(text) }
    }

    @Test func `A host name or address that is too long is rejected`() {
        #expect(throws: APIAddress.ParseError.host) {
            try APIAddress("https://" + String(repeating: "a", count: 64))
        }
        #expect(throws: APIAddress.ParseError.host) {
            try APIAddress("https://" + Array(repeating: "abcdefgh", count: 30).joined(separator: "."))
        }
        #expect(throws: APIAddress.ParseError.characters) {
            try APIAddress("https://a/" + String(repeating: "a", count: 4000))
        }
    }

    @Test func `The URL of a request is the base address followed by the path`() throws {
        let address = try APIAddress("https://example.org/base/")
        let request = Endpoint.events(after: "1", maxWaitSeconds: 30).request
        #expect(address.url(of: request) == "https://example.org/base/v1/events?after=1&wait=30")
        #expect(address.origin == "https://example.org")
    }

    @Test func `The addresses of the hosted service are valid`() throws {
        #expect(try APIAddress("https://api.cuti-e.com") == .production)
        #expect(try APIAddress("https://cutie-worker-sandbox.invotekas.workers.dev") == .hostedSandbox)
    }

    @Test func `An error about an address does not contain the password in the address`() {
        let error = #expect(throws: APIAddress.ParseError.self) {
            try APIAddress("https://me:hush@example.org")
        }
        #expect(error?.description.contains("hush") == false)
    }

    @Test(arguments: APIAddress.ParseError.allCases)
    func `Each error about an API address can be translated`(error: APIAddress.ParseError) {
        #expect(error.reason.code != nil && error.description == error.reason.english)
    }
}
