import OAuth
import Reasons
import TestSupport
import Testing

@testable import RSD2

/// Tests of the table in "Resolving links" of Documentation/rsd2.md, with service descriptions of real
/// servers.
struct ResolutionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var home: String?
        var engine: String?
        var api: String?
        var document = "https://s.example.org/rsd.json"
        /// The expected URL of the protocol; `nil` if the protocol cannot be used.
        let url: String?
        var reason: String?

        var testDescription: String { "\(home ?? "-") \(engine ?? "-") \(api ?? "-")" }

        func description() throws(ServiceDescription.ParseError) -> ServiceDescription {
            func member(_ name: String, _ value: String?) -> String {
                value.map { #""\#(name)":"\#($0)","# } ?? ""
            }
            let api = api.map { #"{"apiLink":"\#($0)"}"# } ?? "{}"
            let text =
                "{" + member("homePageLink", home) + member("engineLink", engine)
                + #""apis":{"org.example.notes":\#(api),"org.ietf.oauth2":{"apiLink":"oauth/"}}}"#
            return try ServiceDescription(Array(text.utf8), at: try? EndpointURL(document))
        }
    }

    static let cases = [
        Case(
            home: "https://example.org", engine: "https://svc.example.org", api: "v1/",
            url: "https://svc.example.org/v1/"),
        Case(home: "https://example.org", engine: "svc/", api: "v1/", url: "https://example.org/svc/v1/"),
        Case(
            home: "https://m.example.org/", engine: "", api: "auth/x/cb.php",
            url: "https://m.example.org/auth/x/cb.php"),
        Case(home: "https://m.example.org/", engine: "", url: "https://m.example.org/"),
        Case(home: "https://m.example.org/", url: "https://m.example.org/"),
        Case(home: "https://example.org/a", engine: "b", api: "/c", url: "https://example.org/a/b/c"),
        Case(
            engine: "", api: "https://example.org/api", document: "https://example.org/x/rsd.json",
            url: "https://example.org/api"),
        Case(
            engine: "svc", api: "v1", document: "https://example.org/x/rsd.json",
            url: "https://example.org/x/svc/v1"),
        Case(
            engine: "", api: "api", document: "https://example.org/x/rsd.json", url: nil,
            reason: "org.example.notes is not valid: the service description contains no address"),
        Case(
            home: "https://s.example.org", engine: "https://s.example.org/e", api: "n/",
            url: "https://s.example.org/e/n/"),
        Case(home: "https://s.example.org", engine: "e/", api: "n", url: "https://s.example.org/e/n"),
        Case(home: "https://s.example.org/m/", engine: "", url: "https://s.example.org/m/"),
        Case(
            engine: "https://s.example.org", api: "https://o.example.org/n", url: nil,
            reason:
                """
                org.example.notes is on o.example.org, which is not the host of the service; the token of \
                s.example.org is not sent to another host
                """
        ),
        Case(
            engine: "https://s.example.org", api: "http://s.example.org/n", url: nil,
            reason: "org.example.notes is not valid: the link does not begin with https://"),
    ]

    @Test(arguments: cases)
    func `The URL of each protocol is resolved according to the specification`(example: Case) throws {
        let service = try example.description()
        #expect(service.apis["org.example.notes"]?.link.description == example.url)
        #expect(service.refusals["org.example.notes"]?.english == example.reason)
    }

    @Test func `The token endpoint of a Moodle site is derived from the home page`() throws {
        let service = try Case(home: "https://s.example.org/m/", engine: "", url: nil).description()
        #expect(service.tokenEndpoint?.description == "https://s.example.org/m/oauth/token")
        #expect(service.engineName == "s.example.org")
        #expect(service.host == "s.example.org")
    }

    @Test(arguments: MoodleDocument.allCases)
    func `The service descriptions of Moodle plugins are decoded`(document: MoodleDocument) throws {
        let service = try DescriptionTests.read(document.text(at: "https://school.example.org/moodle"))
        #expect(service.engineName == "Moodle" && service.refusals.isEmpty)
        #expect(service.apis.count == document.count)
        #expect(
            service.apis[document.example.name]?.link.description
                == "https://school.example.org/moodle" + document.example.path)
        #expect(service.apis[document.example.name]?.versions == ["3.1.2 (Build: 20160912)"])
        #expect(service.supports([document.example.name]))
    }

    @Test func `The content of a YAML description may be inside an element "service"`() throws {
        let yaml = """
            service:
              engineName: Blog Munging CMS
              engineLink: https://www.blogmunging.example/
              homePageLink: https://www.userdomain.example/
              homePageIcon: https://www.userdomain.example/favico.png
              apis:
                MetaWeblog:
                  apiLink: xml/rpc/url
                  preferred: true
                  engineId: 123abc
                Conversant:
                  apiLink: xml/rpc/other
                  preferred: false
                  transport:
                    - REST
                    - SOAP
                  settings:
                    service-specific-setting: a value
            """
        let service = try DescriptionTests.read(yaml)
        #expect(service.engineName == "Blog Munging CMS")
        #expect(service.protocolNames == ["MetaWeblog", "Conversant"])
        #expect(
            service.apis["MetaWeblog"]?.link.description == "https://www.blogmunging.example/xml/rpc/url")
        #expect(service.apis["Conversant"]?.transports == ["REST", "SOAP"])
    }

    @Test(arguments: ["//o.example.org/n", "javascript:x", "../n"])
    func `An unsafe link disables a single protocol and not the service`(link: String) throws {
        let service = try Case(engine: "https://s.example.org", api: link, url: nil).description()
        #expect(service.apis["org.example.notes"] == nil)
        #expect(service.refusals["org.example.notes"] != nil)
        #expect(service.supports([]))
    }

    @Test func `A description with an empty engine link and no home page is rejected`() {
        #expect(throws: ServiceDescription.ParseError.missing(.engineLink)) {
            try ServiceDescription(Array(#"{"engineLink":"","apis":{}}"#.utf8))
        }
    }

    @Test func `The protocols of a description may be a list, which may be empty`() throws {
        let list =
            #"{"engineLink":"https://s.example.org","apis":[{"name":"org.example.notes","apiLink":"n"}]}"#
        #expect(
            try DescriptionTests.read(list).apis["org.example.notes"]?.link.description
                == "https://s.example.org/n")
        #expect(try DescriptionTests.read(#"{"engineLink":"https://s.example.org","apis":[]}"#).apis.isEmpty)
    }

    @Test func `The YAML and the JSON description of a Moodle site are decoded to the same values`() throws {
        let yaml =
            "homePageLink: https://s.example.org/m/\nengineLink:\napis: {org.moodle.x: {}, org.ietf.oauth2: {apiLink: oauth/}}\n"
        let service = try DescriptionTests.read(yaml)
        #expect(service.engineLink.description == "https://s.example.org/m/")
        #expect(service.apis["org.moodle.x"]?.link == service.engineLink)
    }
}
