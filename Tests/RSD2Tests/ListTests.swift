import OAuth
import Testing

@testable import RSD2

struct ListTests {
    private func documents(_ text: String) throws -> [String] {
        try DiscoveredServices.splitDocuments(in: Array(text.utf8)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("[]", []), (" [ ] ", []), ("[{}]", ["{}"]), ("{}", ["{}"]), ("\u{FEFF}{}", ["{}"]),
        (#"[{"a":[1,2]}, {"b":"],["} ]"#, [#"{"a":[1,2]}"#, #"{"b":"],["} "#]),
        (#"["\"," , 7,{"}":"\\"}]"#, [#""\",""# + " ", "7", #"{"}":"\\"}"#]),
    ])
    func `The format of a discovery response is detected from its content`(answer: String, expected: [String])
        throws
    {
        #expect(try documents(answer) == expected)
    }

    @Test(arguments: [
        "[", "[{}", "[{}]]", "[{}] x", "[,]", "[{},]", "[{},,{}]", "[}", "[{]}]", #"["]"#, "a: b", "7",
    ])
    func `An invalid discovery response is rejected`(answer: String) {
        #expect(throws: ServiceDescription.ParseError.notJSON) { try documents(answer) }
    }

    @Test func `An HTML page, an empty response and an oversized response each cause a different error`() {
        #expect(throws: ServiceDescription.ParseError.xml) { try documents("<html>") }
        #expect(throws: ServiceDescription.ParseError.empty) { try documents("") }
        let long = String(repeating: " ", count: ServiceDescription.sizeLimit) + "[]"
        #expect(throws: ServiceDescription.ParseError.tooLarge) { try documents(long) }
    }

    @Test
    func `The first 64 entries of a discovery response are used, and invalid entries are skipped`()
        throws
    {
        let service = DescriptionTests.small()
        let answer = "[7," + (0..<99).map { _ in service }.joined(separator: ",") + "]"
        let documents = try DiscoveredServices.splitDocuments(in: Array(answer.utf8))
        #expect(documents.count == 64)
        #expect(documents.compactMap { try? ServiceDescription($0) }.count == 63)
    }

    private func links(_ text: String, at host: String = "https://h.example") throws -> [String] {
        try ServiceList(Array(text.utf8), at: EndpointURL(host)).links.map(\.description)
    }

    @Test func `Each entry of a service list has a type and a link`() throws {
        let text = """
            \u{FEFF}# Services of the school
            application/x-rsd+xml; https://moodle.example.edu/rsd.xml
            ttl: 60
            application/x-rsd+json; https://moodle.example.edu/rsd.json
            ttl: 5
              APPLICATION/x-rsd+yaml ;/lms/rsd.yaml\t# from the host\r
            application/x-rsd+json;rsd.json
            application/x-rsd+json;rsd.json
            application/x-rsd+json;rsd.json#top
            text/plain; rsd.txt
            https://bare.example/rsd.json
            """
        let list = try ServiceList(Array(text.utf8), at: EndpointURL("https://h.example/deep/services.txt"))
        #expect(
            list.links.map(\.description) == [
                "https://moodle.example.edu/rsd.json", "https://h.example/lms/rsd.yaml",
                "https://h.example/rsd.json",
            ])
        #expect(list.freshness == 60)
        #expect(list.offersXML)
    }

    @Test(arguments: ["application/x-rsd+", "application/rsd+", "Application/RSD+"])
    func `The JSON and YAML media types of all editions of the specification are supported`(type: String)
        throws
    {
        let list = "\(type)xml; a.xml\n\(type)json; b.json\n\(type)yaml; c.yaml\n"
        #expect(try links(list) == ["https://h.example/b.json", "https://h.example/c.yaml"])
        let page = ["xml", "json", "yaml"].map {
            #"<link rel="ServiceAPI" type="\#(type)\#($0)" title="RSD" href="/rsd.\#($0)">"#
        }
        #expect(
            try pageLinks(page.joined()) == ["https://h.example/rsd.json", "https://h.example/rsd.yaml"])
    }

    @Test(arguments: [
        ("ttl: 0", 0), ("ttl:60", 60), ("  ttl: 60\t", 60), ("ttl: 99999999", 30 * 86_400), ("ttl: -1", 0),
        ("ttl: soon", 86_400),
        ("", 86_400),
    ])
    func `The cache lifetime of a service list is limited`(line: String, seconds: Int) throws {
        let list = try ServiceList(
            Array("\(line)\napplication/x-rsd+json;a\n".utf8), at: EndpointURL("https://h.example"))
        #expect(list.freshness == seconds)
    }

    @Test(arguments: ["//other.example/rsd.json", "../rsd.json", "rsd.json#top"])
    func `A protocol-relative link, a parent path and a fragment are each rejected in services.txt`(
        link: String
    ) throws {
        #expect(try links("application/x-rsd+json; \(link)\n").isEmpty)
    }

    @Test(arguments: [
        "http://other.example/rsd.json", "http://127.0.0.1:631/", "https://localhost/", "file:///etc/passwd",
        "https:rsd.json", "javascript:x", "ä",
    ])
    func `An unsafe link in a service list is skipped`(link: String) throws {
        let text = "application/x-rsd+json; \(link)\napplication/x-rsd+json; rsd.json\n"
        #expect(try links(text) == ["https://h.example/rsd.json"])
        let page = "<link rel=serviceapi type=application/x-rsd+json href=\(link)>"
        #expect(try pageLinks(page).isEmpty)
    }

    @Test func `A service list on a loopback host may refer to other loopback servers`() throws {
        #expect(
            try links("application/x-rsd+json;http://127.0.0.1:9000/rsd.json\n", at: "http://127.0.0.1:8787/")
                == ["http://127.0.0.1:9000/rsd.json"])
    }

    @Test(arguments: ["", "\n\n", "# none\n", "/rsd.json\n", #"{"engineLink":"https://h.example"}"#])
    func `A service list contains no links if none of its lines has a type`(text: String) throws {
        #expect(try links(text).isEmpty)
    }

    @Test func `Content that is not a service list is rejected`() throws {
        let host = try EndpointURL("https://h.example")
        #expect(throws: ServiceList.ParseError.page) { try links("\n <!DOCTYPE html>\n") }
        let line = "application/x-rsd+json; rsd"
        #expect(throws: ServiceList.ParseError.tooManyLinks) {
            try links((0..<65).map { line + "\($0)\n" }.joined())
        }
        #expect(try links((0..<64).map { line + "\($0)\n# x\n" }.joined()).count == 64)
        #expect(throws: ServiceList.ParseError.notUTF8) { try ServiceList([0xFF], at: host) }
        let long = [UInt8](repeating: UInt8(ascii: "\n"), count: ServiceList.sizeLimit)
        #expect(try ServiceList(long, at: host).links.isEmpty)
        #expect(throws: ServiceList.ParseError.tooLarge) { try ServiceList(long + [10], at: host) }
    }

    @Test func `The beginning of an HTML page is parsed regardless of the page's size and encoding`() throws {
        let link = Array(
            "<title>B\u{FC}cher</title><link rel=serviceapi type=application/x-rsd+json href=/d.json>".utf8)
        let latin = link.split(separator: [0xC3, 0xBC], maxSplits: 1)
        let address = try EndpointURL("https://h.example")
        for page in [link, Array(latin.joined(separator: [0xFC]))] {
            #expect(page.count > 80)
            let long = page + [UInt8](repeating: UInt8(ascii: "x"), count: ServiceList.sizeLimit)
            for bytes in [page, long, [0xEF, 0xBB, 0xBF] + long] {
                #expect(
                    try ServiceList(page: bytes, at: address).links.map(\.description)
                        == ["https://h.example/d.json"])
            }
        }
        let late = [UInt8](repeating: 0x20, count: ServiceList.sizeLimit) + link
        #expect(try ServiceList(page: late, at: address).links.isEmpty)
    }

    private func pageLinks(_ page: String, at address: String = "https://h.example/a/b.html") throws
        -> [String]
    {
        try ServiceList(page: Array(page.utf8), at: EndpointURL(address)).links.map(\.description)
    }

    @Test(arguments: [
        (
            #"<link rel="ServiceAPI" type="application/x-rsd+json" href="/d.json">"#,
            "https://h.example/d.json"
        ),
        (
            "<LINK href='/d.json' type=application/x-rsd+json rel='alternate serviceapi'>",
            "https://h.example/d.json"
        ),
        ("<link rel=serviceapi href=d.json type=application/x-rsd+yaml/>", nil),
        ("<link rel=serviceapi href=d.json type='application/x-rsd+yaml'/>", "https://h.example/a/d.json"),
        (
            "<base href=https://h.example/x/><link rel=serviceapi href=d.json type=application/x-rsd+json>",
            "https://h.example/x/d.json"
        ),
        (
            "<link rel=serviceapi href='https://o.example/d.json?a=1&amp;b=2' type=application/x-rsd+json>",
            "https://o.example/d.json?a=1&b=2"
        ),
        ("<!-- <link rel=serviceapi href=/d.json type=application/x-rsd+json> -->", nil),
        ("<script>'<link rel=serviceapi href=/d.json type=application/x-rsd+json>'</script>", nil),
        ("<link rel=stylesheet href=/d.json type=application/x-rsd+json>", nil),
        ("<link rel=serviceapi href=/d.json type=text/html>", nil),
        ("<link rel=serviceapi type=application/x-rsd+json>", nil), ("<link", nil), ("<link = \" <", nil),
        ("<", nil),
    ])
    func `The link to a service description is found in the HTML page of a service`(
        page: String, link: String?
    ) throws {
        #expect(try pageLinks("<html><head>" + page) == [link].compactMap(\.self))
    }

    @Test(arguments: [
        // The examples in RFC 3986 §5.4.
        ("/b/c/d;p?q", "g", "/b/c/g"), ("/b/c/d;p?q", "./g", "/b/c/g"), ("/b/c/d;p?q", "g/", "/b/c/g/"),
        ("/b/c/d;p?q", "/g", "/g"), ("/b/c/d;p?q", "?y", "/b/c/d;p?y"), ("/b/c/d;p?q", "g?y", "/b/c/g?y"),
        ("/b/c/d;p?q", "g#s", "/b/c/g"), ("/b/c/d;p?q", "g?y#s", "/b/c/g?y"),
        ("/b/c/d;p?q", ";x", "/b/c/;x"), ("/b/c/d;p?q", "g;x?y#s", "/b/c/g;x?y"),
        ("/b/c/d;p?q", ".", "/b/c/"), ("/b/c/d;p?q", "./", "/b/c/"), ("/b/c/d;p?q", "..", "/b/"),
        ("/b/c/d;p?q", "../g", "/b/g"), ("/b/c/d;p?q", "../..", "/"), ("/b/c/d;p?q", "../../g", "/g"),
        ("/b/c/d;p?q", "../../../g", "/g"), ("/b/c/d;p?q", "/./g", "/g"), ("/b/c/d;p?q", "/../g", "/g"),
        ("/b/c/d;p?q", "g.", "/b/c/g."), ("/b/c/d;p?q", "..g", "/b/c/..g"),
        ("/b/c/d;p?q", "./g/.", "/b/c/g/"), ("/b/c/d;p?q", "g/../h", "/b/c/h"),
        ("/b/c/d;p?q", "g;x=1/../y", "/b/c/y"), ("/b/c/d;p?q", "g?y/../x", "/b/c/g?y/../x"),
        // Links in pages whose URL has a path, a query, both or neither.
        ("/page?x=1", "rsd.json", "/rsd.json"), ("/page?x=a/b", "rsd.json", "/rsd.json"),
        ("?x=1", "rsd.json", "/rsd.json"), ("?x=a/b", "rsd.json?y", "/rsd.json?y"),
        ("?x", "?y", "?y"), ("/?x", "?y", "/?y"), ("", "rsd.json", "/rsd.json"), ("", "..", "/"),
        (":443", "rsd.json", ":443/rsd.json"), (":8443/a/b?x", "/rsd.json", ":8443/rsd.json"),
        (":8443/a/b?x", "../rsd.json", ":8443/rsd.json"),
    ])
    func `A link in an HTML page is resolved according to RFC 3986`(
        page: String, link: String, resolved: String
    ) throws {
        let address = "https://h.example"
        let text = "<link rel=serviceapi type=application/x-rsd+json href='\(link)'>"
        #expect(try pageLinks(text, at: address + page) == [address + resolved])
    }

    @Test(arguments: [
        ("//o.example/d.json", "https://o.example/d.json"), ("//o.example", "https://o.example"),
        ("//o.example:8443/a/../d.json?y#z", "https://o.example:8443/d.json?y"),
        ("https://o.example/a/./../d.json#z", "https://o.example/d.json"),
        ("", nil), ("#top", nil), ("//", nil), ("///d.json", nil), ("%2e%2e/d.json", nil),
        ("//127.0.0.1/d.json", nil), ("//u@o.example/d.json", nil),
    ])
    func `A link in an HTML page may refer to another host, but not to the page itself or to this computer`(
        link: String, resolved: String?
    ) throws {
        let text = "<link rel=serviceapi type=application/x-rsd+json href='\(link)'>"
        #expect(try pageLinks(text, at: "https://h.example/page?x=1") == [resolved].compactMap(\.self))
    }

    @Test(arguments: [
        ("<base href=/x/><base href=/y/>", "/x/rsd.json"),
        ("<base target=_top><base href='/x/page?q=a/b'><base href=y/>", "/x/rsd.json"),
        ("<base href=''><base href=/y/>", "/a/rsd.json"),
        ("<base href='#top'><base href=/y/>", "/a/rsd.json"),
        ("<base href=javascript:x><base href=/y/>", "/a/rsd.json"),
        ("<base href=http://h.example/x/><base href=/y/>", "/a/rsd.json"),
        ("<base href='../x/'><base href='../x/'>", "/x/rsd.json"),
        ("<!-- <base href=/x/> --><BASE HREF=/y/>", "/y/rsd.json"),
        ("<base href='?y'>", "/a/rsd.json"),
    ])
    func `If an HTML page has several base elements, the first element with a URL is used`(
        head: String, resolved: String
    ) throws {
        let link = "<link rel=serviceapi type=application/x-rsd+json href=rsd.json>"
        for page in ["/a/b.html", "/a/b.php?x=1", "/a/?x=c/d"] {
            #expect(
                try pageLinks(head + link, at: "https://h.example" + page) == [
                    "https://h.example" + resolved
                ])
        }
    }

    @Test func `An HTML page that contains only a link to an XML description is recognized`() throws {
        let page = "<link rel=ServiceAPI type=application/x-rsd+xml href=/rsd.xml>"
        #expect(try ServiceList(page: Array(page.utf8), at: EndpointURL("https://h.example/")).offersXML)
    }

    @Test func `A hostile HTML page is parsed in linear time`() throws {
        for part in ["<link ", "<!--", "<script>", "<a =", "<base href='", "<<"] {
            let page = String(repeating: part, count: (ServiceList.sizeLimit / 8) / part.utf8.count)
            #expect(try pageLinks(page).isEmpty)
        }
    }
}
