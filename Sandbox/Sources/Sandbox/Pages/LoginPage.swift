import Hummingbird

/// The pages `/login` and `/logout`.
struct LoginPage: Sendable {
    let archive: Archive
    let browsers: BrowserSessions

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addPage(at: .login, handlers: [.get: show, .post: signIn])
        router.addPage(at: .logout, handlers: [.post: signOut])
    }

    @Sendable private func show(_ call: SandboxCall) async throws -> Response {
        let session = try await browsers.findOrBeginSession(of: call)
        let query = try FormParameters.parseQuery(of: call)
        let next = NextPage(query["next"])
        if let signedIn = session.signedIn, next == nil {
            return browsers.makeResponse(
                showing: makeWelcomePage(for: signedIn.admin, session: session), to: session)
        }
        return browsers.makeResponse(
            showing: makePage(for: session, nextPage: next, email: query["login_hint"] ?? ""), to: session)
    }

    @Sendable private func signIn(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        let session = try await browsers.requireSession(of: call, submitting: form)
        let (email, next) = (form["email"] ?? "", NextPage(form["next"]))
        guard let admin = try await authenticate(email: email, password: form["password"] ?? "") else {
            let page = makePage(
                for: session, nextPage: next, email: email,
                problem: "The e-mail address or the password is incorrect.")
            return browsers.makeResponse(showing: page, to: session, status: .unprocessableContent)
        }
        let fresh = try await browsers.beginSession(for: admin, replacing: session)
        return browsers.addingCookie(
            of: fresh, to: .seeOther(location: next?.path ?? Issuer.Path.login.rawValue))
    }

    /// Returns the account if the password is correct; otherwise `nil`. Hashes the password even for an
    /// unknown account, so that the response time does not reveal whether the account exists.
    private func authenticate(email: String, password: String) async throws -> Admin? {
        let known = try await archive.read { database -> (Admin, PasswordHash)? in
            guard let email = EmailAddress(email), let admin = try database.findAdmin(email: email),
                let hash = try database.findPasswordHash(of: admin)
            else { return nil }
            return (admin, hash)
        }
        guard password.utf8.count <= PasswordStrength.maxBytes else { return nil }
        guard let (admin, hash) = known else {
            _ = try await PasswordHash.compute(from: password)
            return nil
        }
        return try await hash.matches(password) ? admin : nil
    }

    @Sendable private func signOut(_ call: SandboxCall) async throws -> Response {
        let session = try await browsers.requireSession(of: call, submitting: try FormParameters(call))
        try await archive.change { try $0.endBrowserSession(session) }
        return .seeOther(location: Issuer.Path.login.rawValue)
    }

    private func makePage(
        for session: BrowserSession, nextPage: NextPage?, email: String, problem: String? = nil
    ) -> HTMLPage {
        let form = PageForm(
            action: .login, session: session, hidden: [("next", nextPage?.path)],
            fields: [
                HTMLField(
                    name: "email", label: "E-mail address", type: "email", value: email,
                    autocomplete: "username"),
                HTMLField(
                    name: "password", label: "Password", type: "password",
                    autocomplete: "current-password"),
            ],
            buttons: [.init(label: "Sign in")])
        let query = nextPage.map { "?next=" + FormParameters.encodeValue($0.path) } ?? ""
        return HTMLPage(
            title: "Sign in", problem: problem,
            content: """
                \(form.html)<p><a href="\(Issuer.Path.forgot.rawValue)">Forgot your password?</a></p>
                <p>New here? <a href="\(Issuer.Path.register.rawValue + query)">Create an account</a></p>
                """)
    }

    private func makeWelcomePage(for admin: Admin, session: BrowserSession) -> HTMLPage {
        let out = PageForm(action: .logout, session: session, buttons: [.init(label: "Sign out")])
        return HTMLPage(
            title: "Signed in",
            content: """
                <p>You are signed in as \(admin.name), \(admin.email).</p>
                <p><a href="\(Issuer.Path.device.rawValue)">Enter a device code</a></p>
                \(out.html)
                """)
    }
}
