import ArgumentParser
import ControlAPI
import ControlClient
import Platform
import QR

struct SignInVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "signin", abstract: "Sign in to a support staff account or an institution.",
        discussion: """
            Methods: "device" shows a code that you compare on the issuer's page, on any device with a browser. \
            "browser" opens that page on this computer. "client" signs in with client_secret_file and needs no \
            person. The default is the first method that the issuer offers. cutied never sees your password.

            Examples:
              cutied ctl signin
              cutied ctl signin --method browser --hint kim@example.org
            """)

    enum Method: String, ExpressibleByArgument, CaseIterable {
        case device, browser, client
    }

    @Option(help: "The method: device, browser or client.")
    var method: Method?

    @Option(help: .init("A user name to fill in on the issuer's page.", valueName: "text"))
    var hint: String?

    @Flag(help: "Create an account at the issuer first; needs --method browser.")
    var register = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let call = SignIn(
            account: account.name, method: method?.rawValue, hint: hint, register: register ? true : nil)
        var isDone = false
        try await session.followReplies(to: call) { answer in
            isDone = answer.reply.session != nil
            if session.json {
                try session.output.write(answer.line)
            } else {
                try session.output.write(answer.reply.text(in: session.format()))
            }
            if let page = answer.reply.authorizationUri { await openPage(at: page, in: session) }
            return isDone ? .stop : .proceed
        }
        if !isDone { throw DaemonUnavailable(path: session.daemon.path) }
    }

    /// Opens a page in the browser. A failure is ignored, because the user can copy the address from the
    /// terminal.
    private func openPage(at page: String, in session: Session) async {
        guard !session.json else { return }
        _ = await session.desktop?.openPage(at: page)
    }
}

struct SignOutVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "signout", abstract: "Sign out and revoke the tokens of the issuer.",
        discussion: """
            The tokens are deleted from this computer immediately. If the issuer cannot be reached, the command \
            exits with 75, and the tokens are revoked later.
            """)

    @Flag(help: "Only list what would be revoked.")
    var dryRun = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let answer = try await session.call(SignOut(account: account.name, dryRun: dryRun ? true : nil))
        if session.json {
            try session.output.write(answer.line)
        } else {
            try session.output.write(text(of: answer.reply))
        }
        try session.throwIfQueued(answer.reply.queued)
    }

    private func text(of reply: SignOut.Reply) -> String {
        guard !reply.revoked.isEmpty else { return "you were not signed in\n" }
        let what = reply.revoked.map { TerminalText.singleLine("  " + $0) + "\n" }.joined()
        if dryRun { return "would be revoked:\n" + what }
        return reply.queued
            ? "signed out; to be revoked when the issuer can be reached:\n" + what
            : "signed out, revoked:\n" + what
    }
}

struct WhoamiVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show who is signed in; works offline.",
        discussion: "Exits with 77 if no user is signed in.")

    @Flag(help: "Ask the issuer instead of using the stored answer.")
    var refresh = false

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let reply =
            refresh
            ? try await session.printReply(to: RefreshProfile(account: account.name))
            : try await session.printReply(to: GetSession(account: account.name))
        if reply.session.auth != .authenticated { throw ExitCode(ExitStatus.notAuthorized.rawValue) }
    }
}

extension SignIn.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if let session { return session.text(in: format) }
        if let page = authorizationUri {
            return "sign in on this page:\n" + TerminalText.singleLine(page) + "\n"
        }
        guard let userCode, let verificationUri else { return "" }
        let code = try? QRCode(verificationUriComplete ?? verificationUri)
        let picture = code.map { $0.terminalText(usesColor: format.usesColor) + "\n" } ?? ""
        let end = expiresAt.map { ", good until \(format.clock.timeText(for: $0, showsSeconds: true))" } ?? ""
        let page =
            verificationUriComplete.map { "or open directly: " + TerminalText.singleLine($0) + "\n" } ?? ""
        return picture + "open   " + TerminalText.singleLine(verificationUri) + "\n"
            + "code   " + TerminalText.singleLine(userCode) + end + "\n" + page
            + "allow access only if the page shows this code:\n"
    }
}

extension SessionReply: HumanReadable {
    func text(in format: TextFormat) -> String { session.text(in: format) }
}

extension SessionView: HumanReadable {
    func text(in format: TextFormat) -> String {
        var fields = FieldList()
        fields.append(name: "account", value: TerminalText.singleLine(account))
        fields.append(name: "signed in", value: auth == .authenticated ? "yes" : "no")
        let said: [(String, String?)] = [
            ("reason", reason), ("name", name), ("email", email), ("id", adminId), ("issuer", issuer),
            ("method", method), ("scopes", scopes.isEmpty ? nil : scopes.joined(separator: " ")),
        ]
        for case (let name, let value?) in said {
            fields.append(name: name, value: TerminalText.singleLine(value))
        }
        return fields.text(in: format)
    }
}
