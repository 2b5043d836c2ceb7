import ControlAPI
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

extension ServiceView {
    fileprivate static func sample(
        _ name: String = "Help Desk", link: String = "https://desk.example/", account: String = "work",
        usedAt: Int64? = noon - 3 * minute
    ) -> ServiceView {
        ServiceView(
            account: account, name: name, link: link,
            host: String(link.dropFirst("https://".count).prefix { $0 != "/" }),
            protocols: ["com.cuti-e.conversations", "org.example.mail"], authorized: usedAt != nil,
            fetchedAt: noon - 60 * minute, usedAt: usedAt)
    }
}

struct ServiceVerbTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    /// Runs `service` with `arguments` while the daemon returns `services`. Returns the received calls and
    /// the output.
    private func run(
        _ arguments: [String], knowing services: [ServiceView], json: Bool = false
    ) async throws -> (lists: [ListServices], forgotten: [ForgetService], text: String) {
        let (session, printed) = daemon.session(json: json)
        let lists = Shared<[ListServices]>([])
        let forgotten = Shared<[ForgetService]>([])
        try await daemon.running {
            $0.on(ListServices.self) { call in
                lists.value.append(call.parameters)
                return .init(services: services)
            }
            .on(ForgetService.self) { call in
                forgotten.value.append(call.parameters)
                return .init(lost: ["the token of \(call.parameters.service)"])
            }
        } while: {
            try await ctl(["service"] + arguments, in: session)
        }
        return (lists.value, forgotten.value, printed.text)
    }

    @Test func `Services are listed in a table`() async throws {
        let services = [ServiceView.sample(), .sample("Mail", link: "https://mail.example/", usedAt: nil)]
        #expect(
            try await run([], knowing: services).text == """
                SERVICE    ACCOUNT  HOST          TOKEN  USED       WHAT
                Help Desk  work     desk.example  yes    3 min ago  read conversations with users, org.example.mail
                Mail       work     mail.example  no     never      read conversations with users, org.example.mail

                """)
    }

    @Test
    func `The command ctl service sends the search text, the account and the option --mine to the daemon`()
        async throws
    {
        let asked = try await run(
            ["list", "help", "desk", "--mine", "--account", "work"], knowing: [.sample()])
        let said = ListServices(mine: true, words: "help desk", account: "work")
        #expect(try asked.lists.map(json) == [json(said)])
        let (all, _, text) = try await run([], knowing: [])
        #expect(try all.map(json) == [json(ListServices())])
        #expect(text == "no services are known; `cutied ctl service discover URL` finds services\n")
        #expect(try await run(["--mine"], knowing: []).text == "no matching services\n")
    }

    @Test func `The services found by a discovery are listed`() async throws {
        let (session, printed) = daemon.session()
        let (script, line) = daemon.session(json: true)
        let asked = Shared<[DiscoverServices]>([])
        try await daemon.running {
            $0.on(DiscoverServices.self) { call in
                asked.value.append(call.parameters)
                return .init(services: call.parameters.url == nil ? [] : [.sample()])
            }
        } while: {
            try await ctl("service", "discover", "https://desk.example", "--account", "work", in: session)
            try await ctl("service", "discover", in: session)
            try await ctl("service", "discover", in: script)
        }
        let named = DiscoverServices(url: "https://desk.example", account: "work")
        #expect(try asked.value.map(json) == [named, DiscoverServices(), DiscoverServices()].map(json))
        #expect(printed.lines.count == 3 && printed.lines.last == "no services were found")
        #expect(line.text == "{\"services\":[]}\n")
    }

    @Test func `Protocols that cannot be used are listed with the reasons`() async throws {
        let (session, printed) = daemon.session()
        try await daemon.running {
            $0.on(DiscoverServices.self) { _ in
                var service = ServiceView.sample()
                service.unusable = ["org.example.files is not valid: the link does not begin with https://"]
                return .init(services: [service], problems: ["mail.example does not describe any services"])
            }
        } while: {
            try await ctl("service", "discover", in: session)
        }
        #expect(
            printed.lines.suffix(2) == [
                "unsupported: mail.example does not describe any services",
                "not usable: org.example.files is not valid: the link does not begin with https://",
            ])
    }

    @Test(arguments: ["Help Desk", "desk.example", "https://desk.example/"])
    func `A service can be selected by its name, host or link`(word: String) async throws {
        let other = ServiceView.sample("Mail", link: "https://mail.example/")
        #expect(
            try await run(["show", word], knowing: [other, .sample()]).text == """
                service    Help Desk
                account    work
                host       desk.example
                link       https://desk.example/
                token      yes
                used       3 min ago
                checked    1 h ago
                protocols  com.cuti-e.conversations: read conversations with users
                           org.example.mail

                """)
    }

    @Test func `The command ctl service show prints the details of each protocol`() async throws {
        var service = ServiceView.sample()
        service.apis = [
            ServiceProtocol(
                name: "org.example.mail", link: "https://desk.example/mail", versions: ["1.9", "2"],
                transports: ["SOAP", "REST"], preferred: true, docs: "https://desk.example/help",
                description: "https://desk.example/mail.wsdl", notes: "Read\nonly")
        ]
        let (lists, _, text) = try await run(["show", "Help Desk"], knowing: [service])
        #expect(lists.map(\.link) == [nil, "https://desk.example/"])
        #expect(
            text.hasSuffix(
                """
                           org.example.mail
                             preferred by the service
                             link https://desk.example/mail
                             version 1.9, 2
                             transport SOAP, REST
                             documentation https://desk.example/help
                             WSDL https://desk.example/mail.wsdl
                             note: Read only

                """), "\(text)")
    }

    @Test func `With --json, the output contains only the selected service`() async throws {
        let other = ServiceView.sample("Mail", link: "https://mail.example/")
        let text = try await run(["show", "Mail"], knowing: [.sample(), other], json: true).text
        #expect(text.hasPrefix("{\"services\":[{") && text.hasSuffix("}]}\n"))
        #expect(text.contains("mail.example") && !text.contains("desk.example"))
    }

    @Test func `The command ctl service forget sends the link and the account of the service`() async throws {
        let (_, forgotten, text) = try await run(["forget", "Help Desk"], knowing: [.sample()])
        let said = ForgetService(service: "https://desk.example/", account: "work")
        #expect(try forgotten.map(json) == [json(said)])
        #expect(text == "deleted or revoked:\n  the token of https://desk.example/\n")
        let dry = try await run(["forget", "desk.example", "--dry-run"], knowing: [.sample()])
        #expect(dry.forgotten.map(\.dryRun) == [true])
        #expect(dry.text.hasPrefix("would be deleted or revoked:\n"))
    }

    /// Returns the error of `service show` while the daemon returns `services`.
    private func complaint(_ services: ServiceView...) async throws -> String? {
        let thrown = await #expect(throws: CommandError.self) {
            try await run(["show", "Help Desk"], knowing: services)
        }
        return thrown?.line
    }

    @Test func `The error for an ambiguous service name lists the candidates`() async throws {
        #expect(
            try await complaint(.sample(), .sample(link: "https://b.example/"))
                == "cutied: Help Desk is the name of several services; use one of these links: "
                + "https://b.example/, https://desk.example/")
        #expect(
            try await complaint(.sample(), .sample(account: "home"))
                == "cutied: Help Desk exists in several accounts; choose one of these accounts with --account: work, home"
        )
        #expect(
            try await complaint()
                == "cutied: there is no service Help Desk here; "
                + "`cutied ctl service` lists the known services")
    }
}
