import JSONReading
import OAuth
import Testing

@testable import RSD2

struct DescriptionTests {
    static let json = #"""
        {"engineName": "Moodle of the school", "engineLink": "https://moodle.example.edu/lms/",
         "engineId": "edu.example.moodle", "homePageLink": "start", "homePageIcon": "theme/icon.svg",
         "apis": {
           "org.ietf.oauth2": {"apiLink": "/oauth2", "apiVersion": "2.0"},
           "org.imsglobal.qti": {"apiLink": "qti.php", "apiVersion": 2.1, "notes": "<b>Read only</b>",
             "settings": {"scope": "qti:read qti:write", "pages": 10, "extra": [true, null, 1.5]}},
           "gov.adlnet.xapi": {"apiLink": "https://moodle.example.edu/xapi", "blogID": "7",
             "settings": {"scope": ["xapi", "qti:read"]}}}}
        """#

    static let yaml = """
        # A service of the school.
        engineName: Moodle of the school
        engineLink: https://moodle.example.edu/lms/
        engineId: 'edu.example.moodle'
        homePageLink: start
        homePageIcon: theme/icon.svg
        apis:
          org.ietf.oauth2: {apiLink: /oauth2, apiVersion: 2.0}
          org.imsglobal.qti:
            apiLink: qti.php
            apiVersion: 2.1
            notes: <b>Read only</b>
            settings:
              scope: qti:read qti:write
              pages: 10
              extra: [true, ~, 1.5]
          gov.adlnet.xapi:
            apiLink: "https://moodle.example.edu/xapi"
            blogID: "7"
            settings:
              scope:
              - xapi
              - qti:read

        """

    static func read(_ text: String) throws(ServiceDescription.ParseError) -> ServiceDescription {
        try ServiceDescription(Array(text.utf8))
    }

    /// Returns a service description with only the required fields.
    static func small(
        name: String = "Moodle", engine: String = "https://h.example/lms", apis: String = "{}"
    ) -> String {
        #"{"engineName":"\#(name)","engineLink":"\#(engine)","apis":\#(apis)}"#
    }

    @Test(arguments: [json, yaml, "\u{FEFF}" + json, "\n\t " + json, "\u{FEFF}" + yaml, "---\n" + yaml])
    func `A service description is decoded from JSON and from YAML`(text: String) throws {
        let service = try Self.read(text)
        #expect(service.engineName == "Moodle of the school")
        #expect(service.engineLink.description == "https://moodle.example.edu/lms/")
        #expect(service.engineId == "edu.example.moodle")
        #expect(service.homePageLink == "https://moodle.example.edu/lms/start")
        #expect(service.homePageIcon == "https://moodle.example.edu/lms/theme/icon.svg")
        #expect(service.host == "moodle.example.edu")
        let qti = try #require(service.apis["org.imsglobal.qti"])
        #expect(qti.link.description == "https://moodle.example.edu/lms/qti.php")
        #expect(qti.versions == ["2.1"])
        #expect(qti.notes == "<b>Read only</b>")
        #expect(
            qti.settings == [
                "scope": .string("qti:read qti:write"), "pages": .int(10),
                "extra": .array([.bool(true), .null, .float(1.5)]),
            ])
        #expect(service.apis.count == 3 && service.refusals.isEmpty)
        #expect(service.tokenEndpoint?.description == "https://moodle.example.edu/lms/oauth2/token")
        #expect(service.revocationEndpoint?.description == "https://moodle.example.edu/lms/oauth2/revoke")
    }

    @Test func `Equivalent JSON and YAML are decoded to the same service description`() throws {
        let (json, yaml) = (try Self.read(Self.json), try Self.read(Self.yaml))
        #expect(json == yaml)
    }

    @Test func `A service supports the protocols in its description only if it issues tokens`() throws {
        let service = try Self.read(Self.json)
        #expect(service.supports(["org.imsglobal.qti"]))
        #expect(service.supports(["org.imsglobal.qti", "gov.adlnet.xapi", ServiceDescription.oauth2]))
        #expect(!service.supports(["org.imsglobal.qti", "gov.adlnet"]))
        let withoutToken = try Self.read(Self.small(apis: #"{"a":{"apiLink":"a"}}"#))
        #expect(!withoutToken.supports(["a"]) && !withoutToken.supports([]))
        #expect(withoutToken.tokenEndpoint == nil && withoutToken.revocationEndpoint == nil)
    }

    @Test func `A filtered description contains only the requested protocols and the token endpoint`() throws
    {
        let service = try Self.read(Self.json).restricted(to: ["gov.adlnet.xapi", "unknown"])
        #expect(Set(service.apis.keys) == ["gov.adlnet.xapi", "org.ietf.oauth2"])
        #expect(service.engineName == "Moodle of the school")
    }

    @Test(arguments: [
        (["org.imsglobal.qti"], ["qti:read", "qti:write"]), (["gov.adlnet.xapi"], ["xapi", "qti:read"]),
        (["gov.adlnet.xapi", "org.imsglobal.qti"], ["xapi", "qti:read", "qti:write"]),
        (["org.ietf.oauth2"], []), (["unknown"], []), ([], []),
    ])
    func `The scope of a token request consists of the scopes of all requested protocols`(
        protocols: [String], names: [String]
    )
        throws
    {
        #expect(try Self.read(Self.json).scope(requiredFor: protocols).names == names)
    }

    @Test func `The scope of a token request does not include the scope of the token protocol itself`() throws
    {
        let service = try Self.read(
            Self.small(
                apis: #"{"org.ietf.oauth2":{"apiLink":"o","settings":{"scope":"admin"}},"#
                    + #""a":{"apiLink":"a","settings":{"scope":["r"," x","q\"",7]}}}"#))
        #expect(service.scope(requiredFor: ["a", ServiceDescription.oauth2]).names == ["r"])
    }

    @Test(arguments: [
        ("https://h.example/lms", "https://h.example/rsd.json", true),
        ("https://h.example/lms", "https://H.example:443/other", true),
        ("https://h.example/lms", "https://h.example:8443/", false),
        ("https://h.example/lms", "https://evil.example/rsd.json", false),
        ("http://127.0.0.1:8787/", "http://127.0.0.1:8787/rsd.json", true),
        ("http://127.0.0.1:8787/", "https://127.0.0.1:8787/rsd.json", false),
    ])
    func `A description is used only if its engine link has the same origin as the description`(
        engine: String, place: String, isFrom: Bool
    ) throws {
        let service = try Self.read(Self.small(engine: engine))
        #expect(try service.hasSameOrigin(as: EndpointURL(place)) == isFrom)
    }

    @Test(arguments: [
        ("https://h.example:8443/x?y", "h.example:8443"), ("https://H.example:443", "h.example"),
        ("http://[::1]:8787/", "[::1]:8787"),
    ])
    func `The host of a service is shown with its port unless the port is the default`(
        engine: String, host: String
    ) throws {
        #expect(try Self.read(Self.small(engine: engine)).host == host)
    }

    @Test(arguments: [
        (#""1.10""#, ["1.10"]), ("2", ["2"]), ("1.5", ["1.5"]), (#"["1.9",2]"#, ["1.9", "2"]), ("true", []),
        ("null", []), (#""\u202e1""#, []),
    ])
    func `The version of a protocol may be a string, a number, or a list of both`(
        written: String, versions: [String]
    ) throws {
        let service = try Self.read(
            Self.small(apis: #"{"a":{"apiLink":"a","apiVersion":\#(written)}}"#))
        #expect(service.apis["a"]?.versions == versions)
    }

    @Test func `A version that is written as a number in YAML is not rounded`() throws {
        let service = try Self.read(
            "engineName: yes\nengineLink: https://h.example\napis: {a: {apiLink: a, apiVersion: [1.10, 2]}}")
        #expect(service.apis["a"]?.versions == ["1.10", "2"])
        #expect(service.engineName == "yes")
    }

    @Test(arguments: [
        ("true", true), (#""true""#, true), (#""Yes""#, true), (#""No""#, false), ("false", false),
        ("1", false),
    ])
    func `The field "preferred" may be a Boolean or a string`(written: String, isPreferred: Bool) throws {
        let service = try Self.read(
            Self.small(apis: #"{"a":{"apiLink":"a"},"b":{"apiLink":"b","preferred":\#(written)}}"#))
        #expect(service.apis["b"]?.isPreferred == isPreferred)
        #expect(service.protocolNames == (isPreferred ? ["b", "a"] : ["a", "b"]))
    }

    @Test(arguments: [
        (#""rest""#, ["REST"]), (#"["soap","my-own"]"#, ["SOAP", "my-own"]), ("null", ["Web-Form"]),
    ])
    func `Transport names are case-insensitive`(written: String, transports: [String]) throws {
        let service = try Self.read(Self.small(apis: #"{"a":{"apiLink":"a","transport":\#(written)}}"#))
        #expect(service.apis["a"]?.transports == transports)
    }

    @Test func `Valid links to the documentation of a protocol are preserved`() throws {
        let service = try Self.read(
            Self.small(
                apis: #"{"a":{"docs":"https://docs.example/a","description":"a.wsdl"},"#
                    + #""b":{"docs":"http://docs.example","description":["x"]}}"#))
        #expect(service.apis["a"]?.docs == "https://docs.example/a")
        #expect(service.apis["a"]?.serviceDescription == "https://h.example/lms/a.wsdl")
        #expect(service.apis["b"]?.docs == nil && service.apis["b"]?.serviceDescription == nil)
    }

    @Test func `An explicit token endpoint replaces the derived token endpoint`() throws {
        let service = try Self.read(
            Self.small(apis: #"{"org.ietf.oauth2":{"apiLink":"o"},"org.ietf.oauth2.token":{"apiLink":"t"}}"#))
        #expect(service.tokenEndpoint?.description == "https://h.example/lms/t")
        #expect(service.restricted(to: []).tokenEndpoint == service.tokenEndpoint)
    }

    @Test func `An optional field of the wrong type in a service description is treated as missing`() throws {
        let service = try Self.read(
            #"{"engineName":"M","engineLink":"https://h.example","engineId":7,"homePageLink":"javascript:x","#
                + #""homePageIcon":["/i"],"apis":{"a":{"apiLink":"a","settings":[],"notes":7}}}"#)
        #expect(service.engineId == nil && service.homePageLink == nil && service.homePageIcon == nil)
        #expect(service.apis["a"]?.settings == nil && service.apis["a"]?.notes == nil)
    }
}
