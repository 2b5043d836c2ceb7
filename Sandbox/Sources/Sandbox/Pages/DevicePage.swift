import Hummingbird

/// The page `/device`, on which an admin enters a device code and then allows or denies access.
struct DevicePage: Sendable {
    let archive: Archive
    let browsers: BrowserSessions

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addPage(at: .device, handlers: [.get: show, .post: submitDecision])
    }

    @Sendable private func show(_ call: SandboxCall) async throws -> Response {
        let session = try await browsers.findOrBeginSession(of: call)
        guard let signedIn = session.signedIn else {
            let next = NextPage(returningTo: call, to: .device).path
            return browsers.addingCookie(
                of: session,
                to: .seeOther(
                    location: "\(Issuer.Path.login.rawValue)?next=\(FormParameters.encodeValue(next))"))
        }
        guard let typed = try FormParameters.parseQuery(of: call)["user_code"] else {
            return browsers.makeResponse(showing: makeCodePage(typedCode: ""), to: session)
        }
        guard let device = try await findWaitingDevice(forTypedCode: typed) else {
            let problem = "No device is waiting with this code. Codes are valid for a few minutes."
            return browsers.makeResponse(
                showing: makeCodePage(typedCode: typed, problem: problem), to: session,
                status: .unprocessableContent)
        }
        return browsers.makeResponse(
            showing: makeConsentPage(for: device, admin: signedIn.admin, session: session), to: session)
    }

    @Sendable private func submitDecision(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        let session = try await browsers.requireSession(of: call, submitting: form)
        guard let signedIn = session.signedIn else { throw Refusal(.forbidden, "Sign in first.") }
        guard let device = try await findWaitingDevice(forTypedCode: form["user_code"] ?? "") else {
            throw Refusal(.unprocessable, "No device is waiting with this code any longer.")
        }
        let isAllowed = form["decision"] == "allow"
        try await archive.change {
            try $0.setDecision(for: device.userCode, allowedBy: isAllowed ? signedIn : nil)
        }
        let page =
            isAllowed
            ? HTMLPage(title: "Done", content: "<p>The device is signed in. You can close this page.</p>")
            : HTMLPage(
                title: "Refused",
                content: "<p>The sign-in of the device was denied. You can close this page.</p>")
        return browsers.makeResponse(showing: page, to: session)
    }

    private func findWaitingDevice(forTypedCode typed: String) async throws -> WaitingDevice? {
        guard let code = UserCode(typed: typed) else { return nil }
        return try await archive.read { try $0.findWaitingDevice(forUserCode: code) }
    }

    /// Returns the page with the form for the device code. The form uses GET without a form token, because it
    /// changes no data.
    private func makeCodePage(typedCode: String, problem: String? = nil) -> HTMLPage {
        let field = HTMLField(
            name: "user_code", label: "Code", value: typedCode, hint: "Eight letters, as shown on the device."
        )
        return HTMLPage(
            title: "Sign in a device", problem: problem,
            content: """
                <form method="get" action="\(Issuer.Path.device.rawValue)">
                \(field.html)<button>Continue</button>
                </form>
                """)
    }

    private func makeConsentPage(for device: WaitingDevice, admin: Admin, session: BrowserSession)
        -> HTMLPage
    {
        let form = PageForm(
            action: .device, session: session, hidden: [("user_code", device.userCode.text)],
            buttons: [
                .init(label: "Allow", decision: "allow"), .init(label: "Refuse", decision: "refuse"),
            ])
        return HTMLPage(
            title: "Is this your device?",
            content: """
                <p>Allow this only if you started it yourself and your device shows the same code:</p>
                <p class="code">\(device.userCode.text)</p>
                \(Consent(client: device.client, scopes: device.scopes, admin: admin).html)
                \(form.html)
                """)
    }
}

/// The text that asks the user for consent.
struct Consent {
    let client: String
    let scopes: Set<Scope>
    let admin: Admin

    var html: HTML {
        let wishes = Scope.allCases.filter { scopes.contains($0) }.map { HTML("<li>\($0.meaning)</li>\n") }
        return """
            <p><strong>\(client)</strong> requests permission, as \(admin.name) (\(admin.email)):</p>
            <ul>
            \(wishes)</ul>
            """
    }
}

extension Scope {
    /// A description of the scope for the user.
    fileprivate var meaning: String {
        switch self {
        case .readConversations: "to read all conversations"
        case .writeConversations: "to change status, priority and category, and to assign"
        case .writeMessages: "to write replies and notes"
        case .writeTags: "to set tags"
        case .readAnalytics: "to read statistics"
        case .readCannedResponses: "to use canned responses"
        case .writeCannedResponses: "to create canned responses"
        case .writeCredentials: "to create credentials"
        case .sandbox: "to control the sandbox"
        case .openID: "to know who you are"
        case .profile: "to know your name"
        case .email: "to know your e-mail address"
        case .offlineAccess: "to stay signed in"
        }
    }
}
