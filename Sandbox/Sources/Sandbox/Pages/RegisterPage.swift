import Hummingbird

/// The page `/register`, which creates an account and passes the verification link to the `deliver`
/// closure.
struct RegisterPage: Sendable {
    let archive: Archive
    let browsers: BrowserSessions
    let deliver: @Sendable (Mail) -> Void

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addPage(at: .register, handlers: [.get: show, .post: register])
    }

    @Sendable private func show(_ call: SandboxCall) async throws -> Response {
        let query = try FormParameters.parseQuery(of: call)
        let session = try await browsers.findOrBeginSession(of: call)
        guard let code = query["code"] else {
            return browsers.makeResponse(
                showing: makePage(for: session, form: query, email: query["login_hint"] ?? ""), to: session)
        }
        let admin = try await archive.change { try $0.consumeMailedCode(code, purpose: .verifyEmail) }
        let page = HTMLPage(
            title: "Thank you", content: "<p>The address \(admin.email) is now confirmed, \(admin.name).</p>")
        return browsers.makeResponse(showing: page, to: session)
    }

    @Sendable private func register(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        let session = try await browsers.requireSession(of: call, submitting: form)
        let (name, email, password) = (form["name"] ?? "", form["email"] ?? "", form["password"] ?? "")
        if let objection = Self.findProblem(name: name, email: email, password: password) {
            return makeProblemResponse(to: form, problem: objection, session: session)
        }
        guard let address = EmailAddress(email) else {
            return makeProblemResponse(to: form, problem: Self.noAddress, session: session)
        }
        let new = NewAdmin(name: name, email: address, password: try await .compute(from: password))
        let added = try await archive.change { change -> (Admin, String)? in
            guard try change.database.findAdmin(email: address) == nil else { return nil }
            let admin = try change.addAdmin(new)
            return (admin, try change.createMailedCode(for: admin, purpose: .verifyEmail))
        }
        guard let (admin, code) = added else {
            return makeProblemResponse(
                to: form,
                problem: "An account with this address already exists. Sign in, or request a new password.",
                session: session)
        }
        let issuer = try Issuer(call, isSecure: browsers.isSecure)
        deliver(.welcome(for: admin, link: "\(issuer.endpoint(.register))?code=\(code)"))
        let fresh = try await browsers.beginSession(for: admin, replacing: session)
        let next = NextPage(form["next"])?.path ?? Issuer.Path.login.rawValue
        return browsers.addingCookie(of: fresh, to: .seeOther(location: next))
    }

    private static let noAddress = "This is not an e-mail address. It should look like kim@example.org."

    /// Returns an error message if the input is invalid; otherwise `nil`.
    private static func findProblem(name: String, email: String, password: String) -> String? {
        guard name.contains(where: { !$0.isWhitespace }), name.count <= 100 else {
            return "The name is missing or longer than 100 characters."
        }
        guard EmailAddress(email) != nil else { return noAddress }
        return PasswordStrength.findWeakness(in: password, knownWords: [name, email])
    }

    private func makeProblemResponse(to form: FormParameters, problem: String, session: BrowserSession)
        -> Response
    {
        let page = makePage(for: session, form: form, email: form["email"] ?? "", problem: problem)
        return browsers.makeResponse(showing: page, to: session, status: .unprocessableContent)
    }

    private func makePage(
        for session: BrowserSession, form parameters: FormParameters, email: String, problem: String? = nil
    ) -> HTMLPage {
        let next = NextPage(parameters["next"])
        let form = PageForm(
            action: .register, session: session, hidden: [("next", next?.path)],
            fields: [
                HTMLField(name: "name", label: "Name", value: parameters["name"] ?? "", autocomplete: "name"),
                HTMLField(
                    name: "email", label: "E-mail address", type: "email", value: email,
                    autocomplete: "username"),
                .newPassword,
            ],
            buttons: [.init(label: "Create account")])
        let query = next.map { "?next=" + FormParameters.encodeValue($0.path) } ?? ""
        return HTMLPage(
            title: "Create an account", problem: problem,
            content: """
                \(form.html)<p>Already have an account? <a href="\(Issuer.Path.login.rawValue + query)">Sign in</a></p>
                """)
    }
}

extension HTMLField {
    static let newPassword = HTMLField(
        name: "password", label: "Password", type: "password", autocomplete: "new-password",
        hint:
            "At least \(PasswordStrength.minCharacters) characters, for example several unrelated words."
    )
}

extension Mail {
    fileprivate static func welcome(for admin: Admin, link: String) -> Mail {
        Mail(
            recipient: admin.email, subject: "Confirm your address",
            text:
                "Hello \(admin.name), an account was created with this address. If that was you, open \(link)"
        )
    }
}
