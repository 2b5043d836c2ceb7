import CutieAPI
import GRDB
import HTTPTypes
import Hummingbird

/// A browser that looked at a page. Its cookie says which one it is, and is sent along by forms on foreign pages,
/// too; those cannot read ours, so that the token in our forms shows where a form comes from.
struct BrowserSession: Sendable {
    let cookie: String
    let formToken: String
    /// Nil before the person signed in.
    let signedIn: SignedInSession?
    /// The browser does not know its cookie yet.
    var isNew = false

    static let cookieName = "cutie_sandbox"
    /// Seconds: a working day.
    fileprivate static let life = 12 * 3600
}

/// Somebody signed in with his password.
struct SignedInSession: Sendable {
    let admin: Admin
    let authenticatedAt: Timestamp
}

/// What all pages do with sessions.
struct Browsers: Sendable {
    let archive: Archive
    let isSecure: Bool

    /// The browser's session, or a new one.
    func session(_ call: Call) async throws -> BrowserSession {
        if let cookie = call.cookie(BrowserSession.cookieName),
            let known = try await archive.read({ try $0.browserSession(cookie) })
        {
            return known
        }
        return try await archive.change { try $0.beginBrowserSession(for: nil) }
    }

    /// The session of a form that was sent. Throws 403 where it comes from another page than ours.
    func session(_ call: Call, sending form: Form) async throws -> BrowserSession {
        let session = try await session(call)
        guard !session.isNew, form["form_token"] == session.formToken, isOurs(call) else {
            throw Refusal(
                .forbidden, "This form is too old, or not from here. Go back, load the page again and retry.")
        }
        return session
    }

    /// After the password was right. The cookie is another one: the old may have been planted by somebody else.
    func signIn(_ admin: Admin, instead old: BrowserSession) async throws -> BrowserSession {
        try await archive.change { change in
            try change.endBrowserSession(old)
            return try change.beginBrowserSession(for: admin)
        }
    }

    /// A page, with the cookie where the browser does not know it.
    func show(_ page: Page, to session: BrowserSession, status: HTTPResponse.Status = .ok) -> Response {
        with(session, page.response(status: status))
    }

    func with(_ session: BrowserSession, _ response: Response) -> Response {
        guard session.isNew else { return response }
        var response = response
        response.headers[.setCookie] =
            "\(BrowserSession.cookieName)=\(session.cookie); Path=/; HttpOnly; SameSite=Lax; "
            + "Max-Age=\(BrowserSession.life)" + (isSecure ? "; Secure" : "")
        return response
    }

    /// Browsers say where a form comes from; others need not.
    private func isOurs(_ call: Call) -> Bool {
        guard let origin = call.header("Origin"), let issuer = try? Issuer(call, isSecure: isSecure) else {
            return true
        }
        return origin == issuer.url
    }
}

extension Call {
    fileprivate func cookie(_ name: String) -> String? {
        for part in (header("Cookie") ?? "").split(separator: ";") {
            let pair = part.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
        }
        return nil
    }
}

extension Database {
    fileprivate func browserSession(_ cookie: String) throws -> BrowserSession? {
        let row = try row(
            sql: "SELECT * FROM browserSession WHERE cookie = ? AND expiresAt > ?",
            arguments: [cookie, Timestamp.now.milliseconds])
        guard let row else { return nil }
        let adminID: String? = row["adminID"]
        let person = try adminID.flatMap { try self.admin(id: $0) }
        return BrowserSession(
            cookie: cookie, formToken: row["formToken"],
            signedIn: person.map {
                SignedInSession(
                    admin: $0, authenticatedAt: Timestamp(milliseconds: row["authenticatedAt"]))
            })
    }
}

extension Change {
    fileprivate func beginBrowserSession(for admin: Admin?) throws -> BrowserSession {
        try database.run(
            sql: "DELETE FROM browserSession WHERE expiresAt <= ?", arguments: [now.milliseconds])
        let (cookie, formToken) = (Secret.make("browser_"), Secret.make("form_"))
        try database.run(
            sql: "INSERT INTO browserSession VALUES (?, ?, ?, ?, ?)",
            arguments: [
                cookie, formToken, admin?.id, now.milliseconds,
                now.advanced(bySeconds: BrowserSession.life).milliseconds,
            ])
        return BrowserSession(
            cookie: cookie, formToken: formToken,
            signedIn: admin.map { SignedInSession(admin: $0, authenticatedAt: now) }, isNew: true)
    }

    func endBrowserSession(_ session: BrowserSession) throws {
        try database.run(sql: "DELETE FROM browserSession WHERE cookie = ?", arguments: [session.cookie])
    }
}
