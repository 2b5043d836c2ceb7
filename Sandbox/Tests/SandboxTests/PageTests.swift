import Foundation
import FoundationNetworking
import Sandbox
import Synchronization
import TestSupport
import Testing

/// Tests of the web pages on which users sign in, create accounts and reset passwords.
@Suite struct PageTests {
    /// The mails that the sandbox passed to `deliver`.
    private final class Mailbox: Sendable {
        private let mails = Mutex<[Mail]>([])

        var all: [Mail] { mails.withLock { $0 } }
        func take(_ mail: Mail) { mails.withLock { $0.append(mail) } }

        /// Returns the path of the link in the newest mail.
        func link(_ sandbox: RunningSandbox) throws -> String {
            let text = try #require(all.last?.text)
            let word = text.split(separator: " ").first { $0.hasPrefix(sandbox.address.url) }
            return try #require(word).dropFirst(sandbox.address.url.count)
                .trimmingCharacters(in: CharacterSet(charactersIn: "."))
        }
    }

    private static let password = "correct horse battery"

    @Test func `After creating an account, the user returns to the requested page`() async throws {
        let mailbox = Mailbox()
        try await withSandbox({ $0.deliver = mailbox.take }) { sandbox in
            let issuer = try await sandbox.issuer()
            let browser = issuer.browser()
            let page = try await browser.open(issuer.authorization(["prompt": "create"]))
            #expect(page.title == "Create an account" && page.fields["next"]?.contains("state=") == true)
            let new = ["name": "Émile <b>", "email": "Emile@Example.org", "password": Self.password]
            let consent = try await browser.submit(page, new)
            #expect(consent.title == "Sign in to cutied?")
            #expect(consent.text.contains("Émile &lt;b&gt; (emile@example.org)"))
            let answer = try await browser.submit(consent, ["decision": "allow"])
            let code = try #require(TestIssuer.parameters(of: answer.away)["code"])
            let tokens: TestIssuer.Tokens = try await issuer.redeem(code).decoded()
            #expect(try tokens.claims()["email_verified"] == .flag(false))
            #expect(mailbox.all.map(\.recipient) == ["emile@example.org"])
            let thanks = try await browser.open(try mailbox.link(sandbox))
            #expect(thanks.title == "Thank you")
            let renewed: TestIssuer.Tokens = try await issuer.refresh(tokens.refresh_token).decoded()
            #expect(try renewed.claims()["email_verified"] == .flag(true))
        }
    }

    @Test(arguments: [
        (["email": "kim@"], "not an e-mail address"), (["password": "short"], "too short"),
        (["password": "emilewashere"], "others know"), (["name": " "], "name is missing"),
        (["email": "KIM@example.org"], "An account with this address already exists"),
    ])
    func `If the account cannot be created, the sign-up form is shown again with the reason`(
        change: [String: String], problem: String
    ) async throws {
        try await withSandbox { sandbox in
            let browser = try await sandbox.issuer().browser()
            let page = try await browser.open("/register")
            let good = ["name": "Emile", "email": "emile@example.org", "password": Self.password]
            let again = try await browser.submit(page, good.merging(change) { $1 })
            #expect(again.status == 422 && again.problem.contains(problem), "\(again.problem)")
            #expect(again.fields["email"] == change["email"] ?? "emile@example.org")
            #expect(again.fields["password"]?.isEmpty == true && !again.text.contains(Self.password))
        }
    }

    @Test func `A password reset ends the sessions that were started with the old password`() async throws {
        let mailbox = Mailbox()
        try await withSandbox({ $0.deliver = mailbox.take }) { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            let app = try await issuer.app(with: tokens)
            let (browser, elsewhere) = (issuer.browser(), issuer.browser())
            let home = try await elsewhere.signIn(issuer.email, issuer.password, to: "/login")
            #expect(home.title == "Signed in")
            let question = try await browser.open("/forgot")
            let nobody = try await browser.submit(question, ["email": "nobody@example.org"])
            let sent = try await browser.submit(question, ["email": "Kim@example.org"])
            #expect(sent.title == nobody.title && sent.status == nobody.status)
            #expect(mailbox.all.map(\.recipient) == [issuer.email])
            let link = try mailbox.link(sandbox)
            let choice = try await browser.open(link)
            let weak = try await browser.submit(choice, ["password": "password1234"])
            #expect(weak.status == 422 && weak.problem.contains("is a common one"))
            let done = try await browser.submit(weak, ["password": Self.password])
            #expect(done.title == "Password changed")
            #expect(try await !issuer.works(tokens.access_token))
            #expect(try await !issuer.works(app.access_token))
            #expect(try await elsewhere.open("/login").title == "Sign in")
            #expect(try await browser.open(link).status == 422, "a link is good once")
            let old = try await browser.signIn(issuer.email, issuer.password, to: "/login")
            #expect(old.status == 422 && old.problem.contains("incorrect"))
            let new = try await browser.submit(old, ["email": issuer.email, "password": Self.password])
            #expect(new.title == "Signed in")
            #expect(try await browser.submit(new, [:]).title == "Sign in", "signed out")
        }
    }

    @Test func `A form submitted by another site has no effect`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let browser = issuer.browser()
            let code = try await issuer.deviceCode()
            let consent = try await browser.signIn(
                issuer.email, issuer.password, to: code.verification_uri_complete)
            let fields = ["user_code": code.user_code, "decision": "allow"]
            #expect(try await browser.send(fields, to: "/device").status == 403)
            let token = ["form_token": consent.fields["form_token"] ?? ""]
            let whole = fields.merging(token) { $1 }
            let foreign = ["Origin": "https://evil.example"]
            #expect(try await browser.send(whole, to: "/device", headers: foreign).status == 403)
            #expect(try await issuer.browser().send(whole, to: "/device").status == 403, "no cookie")
            #expect(try await issuer.poll(code).error == "authorization_pending")
            let own = ["Origin": sandbox.address.url]
            #expect(try await browser.send(whole, to: "/device", headers: own).title == "Done")
        }
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example/device", "/\\evil.example", "/v1/tags", "/login",
        "/device\n",
    ])
    func `The sign-in page does not redirect to another site`(next: String) async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let browser = issuer.browser()
            let encoded = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = try await browser.open("/login?next=\(encoded)")
            #expect(page.fields["next"] == nil)
            let fields = ["email": issuer.email, "password": issuer.password, "next": next]
            let home = try await browser.submit(page, fields)
            #expect(home.title == "Signed in" && home.away == nil)
        }
    }

    @Test func `The pages run no scripts, cannot be embedded in other pages, and are not cached`()
        async throws
    {
        try await withSandbox { sandbox in
            for path in ["/login", "/register", "/forgot"] {
                let answer = try await sandbox.call("GET", path)
                #expect(answer.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
                #expect(answer.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
                #expect(answer.header("Cache-Control") == "no-store")
                let cookie = try #require(answer.header("Set-Cookie"))
                #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
                let page = String(decoding: answer.body, as: UTF8.self)
                #expect(page.contains("<html lang=\"en\">") && page.contains("<label for=\"email\">"))
            }
        }
    }

    /// The referrer policy must not be `no-referrer`: Chromium would then send `Origin: null` with the forms
    /// of the server, and the server would refuse them.
    @Test func `The forms set a same-origin referrer policy`() async throws {
        try await withSandbox { sandbox in
            let login = try #require(URL(string: sandbox.address.url + "/login"))
            let html = String(decoding: try await URLSession.shared.data(from: login).0, as: UTF8.self)
            #expect(html.contains(#"<meta name="referrer" content="same-origin">"#))
        }
    }

    @Test func `The sign-in replaces the session cookie, so a cookie set by an attacker is useless`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let planted = try #require(
                try await sandbox.call("GET", "/login").header("Set-Cookie")?.split(separator: ";").first)
            let page = try await sandbox.call("GET", "/login", ["Cookie": String(planted)])
            let text = String(decoding: page.body, as: UTF8.self)
            let token = try #require(text.firstMatch(of: #/form_token" value="([^"]+)"/#)).1
            let fields = [
                "form_token": String(token), "email": issuer.email, "password": issuer.password,
            ]
            let headers = TestIssuer.form.merging(["Cookie": String(planted)]) { $1 }
            let answer = try await sandbox.call("POST", "/login", headers, TestBrowser.form(fields))
            #expect(answer.header("Set-Cookie")?.hasPrefix(String(planted)) == false)
            let after = try await sandbox.call("GET", "/login", ["Cookie": String(planted)])
            #expect(!String(decoding: after.body, as: UTF8.self).contains(issuer.email))
        }
    }

    @Test func `The database contains no password in plain text`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("sandbox.db")
        try await withSandbox({ $0.database = file }) { sandbox in
            let issuer = try await sandbox.issuer()
            let browser = issuer.browser()
            let fields = ["name": "Emile", "email": "emile@example.org", "password": Self.password]
            let home = try await browser.submit(try await browser.open("/register"), fields)
            #expect(home.title == "Signed in")
        }
        var kept = Data()
        for name in [file, file + "-wal"] where FileManager.default.fileExists(atPath: name) {
            kept += try Data(contentsOf: URL(filePath: name))
        }
        #expect(kept.firstRange(of: Data("scrypt$".utf8)) != nil)
        #expect(kept.firstRange(of: Data(Self.password.utf8)) == nil)
    }
}
