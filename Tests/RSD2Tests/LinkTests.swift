import OAuth
import Reasons
import Testing

@testable import RSD2

struct LinkTests {
    private func service(_ link: String, engine: String) throws -> ServiceDescription {
        try DescriptionTests.read(
            DescriptionTests.small(engine: engine, apis: #"{"a":{"apiLink":"\#(link)"}}"#))
    }

    /// The cases cover rules 1 to 6 of "Resolving links" in Documentation/rsd2.md.
    @Test(arguments: [
        ("https://h.example/lms", "https://h.example/api", "https://h.example/api"),
        ("https://h.example/lms", "HTTPS://H.example:443/api", "HTTPS://H.example:443/api"),
        ("https://h.example/lms", "/api", "https://h.example/lms/api"),
        ("https://h.example/lms", "/", "https://h.example/lms/"),
        ("https://h.example/lms", "", "https://h.example/lms"),
        ("https://h.example:8443/lms/", "/api?x=1", "https://h.example:8443/lms/api?x=1"),
        ("https://h.example/lms", "api", "https://h.example/lms/api"),
        ("https://h.example/lms", " \\n api ", "https://h.example/lms/api"),
        ("https://h.example/lms/", "api/v1", "https://h.example/lms/api/v1"),
        ("https://h.example", "api.php?id=a:b", "https://h.example/api.php?id=a:b"),
        ("https://h.example", "a/b://c", "https://h.example/a/b://c"),
        ("https://h.example/lms", "?api", "https://h.example/lms/?api"),
        ("http://127.0.0.1:8787", "v1", "http://127.0.0.1:8787/v1"),
        ("http://localhost:8787/s", "/v1", "http://localhost:8787/s/v1"),
    ])
    func `The link of a protocol is resolved according to the specification`(
        engine: String, link: String, url: String
    ) throws {
        let service = try service(link, engine: engine)
        #expect(service.apis["a"]?.link.description == url)
        #expect(service.apis["a"]?.link.origin == service.engineLink.origin)
    }

    @Test(arguments: [
        "//evil.example/api", "///api", "https://evil.example/api", "https://h.example:8443/api",
        "http://h.example/api", "https://h.example.evil.example/", "https://h.example@evil.example/",
        "../api", "/a/../b", "a/..", "..", ".", "./a", "%2e%2e/a", "/a/%2E%2E", "/a/.%2e/b", "a%", "a b",
        "a\\\\b",
        "/\\\\evil.example", "\\\\\\\\evil.example", "a\\nb", "a#b", "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://h.example/", "https:/h.example", "https:h.example", "C:x", "ä", "http://127.0.0.1:631/",
        "https://localhost/",
    ])
    func `An unsafe link disables only the protocol that contains it`(link: String) throws {
        let service = try DescriptionTests.read(
            DescriptionTests.small(apis: #"{"a":{"apiLink":"\#(link)"},"b":{"apiLink":"b"}}"#))
        #expect(service.apis["a"] == nil)
        #expect(service.refusals["a"]?.english.hasPrefix("a ") == true)
        #expect(service.apis["b"] != nil && service.refusals["b"] == nil)
        #expect(service.restricted(to: ["b"]).refusals.isEmpty)
    }

    @Test func `A relative link is rejected if the base URL has a query`() throws {
        let service = try service("api", engine: "https://h.example/lms?tenant=1")
        #expect(
            service.refusals["a"]?.english
                == "a is not valid: the link is relative, but its base address contains a query")
        #expect(try self.service("", engine: "https://h.example/lms?tenant=1").apis["a"] != nil)
    }

    @Test(arguments: ["null", "[]", "{}", #"{"apiLink":""}"#])
    func `A protocol without fields uses the engine link of the service`(value: String) throws {
        let service = try DescriptionTests.read(DescriptionTests.small(apis: #"{"a":\#(value)}"#))
        #expect(service.apis["a"]?.link.description == "https://h.example/lms")
        let yaml = "engineLink: https://h.example/lms\napis:\n  a:\n  b: {}\n"
        #expect(try DescriptionTests.read(yaml).protocolNames == ["a", "b"])
    }

    @Test(arguments: ["7", "[7]", #"{"apiLink":7}"#, #""/api""#])
    func `A protocol whose value is not an object, or whose link is not a string, is rejected`(value: String)
        throws
    {
        let service = try DescriptionTests.read(DescriptionTests.small(apis: #"{"a":\#(value)}"#))
        #expect(service.apis.isEmpty && service.refusals.count == 1)
    }

    @Test(arguments: [
        ("https://h.example/oauth2", "https://h.example/oauth2/token"),
        ("/oauth2/", "https://h.example/lms/oauth2/token"), ("oauth2", "https://h.example/lms/oauth2/token"),
        ("", "https://h.example/lms/token"),
    ])
    func `The token endpoint is relative to the link of the token protocol`(link: String, url: String) throws
    {
        let service = try DescriptionTests.read(
            DescriptionTests.small(apis: #"{"org.ietf.oauth2":{"apiLink":"\#(link)"}}"#))
        #expect(service.tokenEndpoint?.description == url)
    }

    @Test(arguments: [
        ("/i.svg", "https://h.example/lms/i.svg"), ("https://cdn.example/i.svg", "https://cdn.example/i.svg"),
        ("http://cdn.example/i.svg", nil), ("//cdn.example/i.svg", nil), ("http://127.0.0.1:80/i", nil),
        ("https://localhost/i", nil), ("../i", nil), ("", nil),
    ])
    func `The URL of an image may refer to another host, but not to this computer`(icon: String, url: String?)
        throws
    {
        let service = try DescriptionTests.read(
            #"{"engineName":"M","engineLink":"https://h.example/lms","homePageIcon":"\#(icon)","apis":{}}"#)
        #expect(service.homePageIcon == url)
    }
}
