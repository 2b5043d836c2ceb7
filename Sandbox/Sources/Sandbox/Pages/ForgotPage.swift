import Hummingbird

/// The page `/forgot`, which passes the password reset link to the `deliver` closure instead of sending
/// a mail.
struct ForgotPage: Sendable {
    let archive: Archive
    let browsers: BrowserSessions
    let deliver: @Sendable (Mail) -> Void

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addPage(at: .forgot, handlers: [.get: show, .post: submitForm])
    }

    @Sendable private func show(_ call: SandboxCall) async throws -> Response {
        let query = try FormParameters.parseQuery(of: call)
        let session = try await browsers.findOrBeginSession(of: call)
        guard let code = query["code"] else {
            return browsers.makeResponse(
                showing: makeEmailPage(for: session, email: query["login_hint"] ?? ""), to: session)
        }
        _ = try await archive.read { try $0.findOwner(ofMailedCode: code, purpose: .setPassword) }
        return browsers.makeResponse(showing: makePasswordPage(for: session, code: code), to: session)
    }

    @Sendable private func submitForm(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        let session = try await browsers.requireSession(of: call, submitting: form)
        if let code = form["code"] {
            return try await changePassword(using: form, code: code, session: session)
        }
        guard let email = EmailAddress(form["email"] ?? "") else {
            let page = makeEmailPage(
                for: session, email: form["email"] ?? "",
                problem: "This is not an e-mail address. It should look like kim@example.org.")
            return browsers.makeResponse(showing: page, to: session, status: .unprocessableContent)
        }
        try await sendResetLink(to: email, issuer: Issuer(call, isSecure: browsers.isSecure))
        // Show the same page if the address is unknown, so that the page does not reveal which addresses have
        // an account.
        let page = HTMLPage(
            title: "Check your e-mail",
            content: """
                <p>If \(email.text) has an account here, a link to set a new password was sent. \
                The link is valid for one hour.</p>
                """)
        return browsers.makeResponse(showing: page, to: session)
    }

    private func sendResetLink(to email: EmailAddress, issuer: Issuer) async throws {
        let found = try await archive.change { change -> (Admin, String)? in
            guard let admin = try change.database.findAdmin(email: email) else { return nil }
            return (admin, try change.createMailedCode(for: admin, purpose: .setPassword))
        }
        guard let (admin, code) = found else { return }
        deliver(.passwordReset(for: admin, link: "\(issuer.endpoint(.forgot))?code=\(code)"))
    }

    private func changePassword(using form: FormParameters, code: String, session: BrowserSession)
        async throws
        -> Response
    {
        let admin = try await archive.read { try $0.findOwner(ofMailedCode: code, purpose: .setPassword) }
        let password = form["password"] ?? ""
        if let objection = PasswordStrength.findWeakness(in: password, knownWords: [admin.name, admin.email])
        {
            let page = makePasswordPage(for: session, code: code, problem: objection)
            return browsers.makeResponse(showing: page, to: session, status: .unprocessableContent)
        }
        let hash = try await PasswordHash.compute(from: password)
        try await archive.change { change in
            let admin = try change.consumeMailedCode(code, purpose: .setPassword)
            try change.setPassword(hash, of: admin.id)
        }
        let page = HTMLPage(
            title: "Password changed",
            content: """
                <p>All sessions that used the old password were signed out. \
                <a href="\(Issuer.Path.login.rawValue)">Sign in</a></p>
                """)
        return browsers.makeResponse(showing: page, to: session)
    }

    private func makeEmailPage(for session: BrowserSession, email: String, problem: String? = nil) -> HTMLPage
    {
        let form = PageForm(
            action: .forgot, session: session,
            fields: [
                HTMLField(
                    name: "email", label: "E-mail address", type: "email", value: email,
                    autocomplete: "username")
            ],
            buttons: [.init(label: "Send link")])
        return HTMLPage(title: "A new password", problem: problem, content: form.html)
    }

    private func makePasswordPage(for session: BrowserSession, code: String, problem: String? = nil)
        -> HTMLPage
    {
        let form = PageForm(
            action: .forgot, session: session, hidden: [("code", code)], fields: [.newPassword],
            buttons: [.init(label: "Change password")])
        return HTMLPage(title: "A new password", problem: problem, content: form.html)
    }
}

extension Mail {
    fileprivate static func passwordReset(for admin: Admin, link: String) -> Mail {
        Mail(
            recipient: admin.email, subject: "A new password",
            text:
                "Hello \(admin.name), to set a new password, open \(link). If you did not request this, ignore this message."
        )
    }
}
