import CutieAPI
import GRDB
import HTTPTypes
import Hummingbird

/// A browser session. Its form token prevents cross-site request forgery: if another site submits a
/// form to this server, the browser may send the session cookie, but the other site does not know the
/// form token.
struct BrowserSession: Sendable {
    let cookie: String
    let formToken: String
    /// The signed-in admin; `nil` before the sign-in.
    let signedIn: SignedInSession?
    /// Whether the response must set the cookie.
    var isNew = false

    static let cookieName = "cutie_sandbox"
    /// The lifetime of a session in seconds: 12 hours.
    fileprivate static let lifetime = 12 * 3600
}

/// The admin who signed in with a password, and the time of the sign-in.
struct SignedInSession: Sendable {
    let admin: Admin
    let authenticatedAt: Timestamp
}

/// The session functions for all pages.
struct BrowserSessions: Sendable {
    let archive: Archive
    let isSecure: Bool

    /// Returns the session of the browser. If the browser has no session, creates and stores one.
    func findOrBeginSession(of call: SandboxCall) async throws -> BrowserSession {
        if let cookie = call.cookie(named: BrowserSession.cookieName),
            let known = try await archive.read({ try $0.findBrowserSession(forCookie: cookie) })
        {
            return known
        }
        return try await archive.change { try $0.beginBrowserSession(for: nil) }
    }

    /// Returns the session of a browser that submitted a form.
    ///
    /// - Throws: `Refusal` (403) if the form token is wrong or the form comes from another origin.
    func requireSession(of call: SandboxCall, submitting form: FormParameters) async throws
        -> BrowserSession
    {
        let session = try await findOrBeginSession(of: call)
        guard !session.isNew, form["form_token"] == session.formToken, isFromSameOrigin(call) else {
            throw Refusal(
                .forbidden,
                "This form has expired or is not from this server. Go back, reload the page and try again.")
        }
        return session
    }

    /// Replaces the session after a sign-in. The new session has a new cookie, to prevent session fixation.
    func beginSession(for admin: Admin, replacing oldSession: BrowserSession) async throws -> BrowserSession {
        try await archive.change { change in
            try change.endBrowserSession(oldSession)
            return try change.beginBrowserSession(for: admin)
        }
    }

    /// Returns the page as a response. Sets the cookie if the session is new.
    func makeResponse(showing page: HTMLPage, to session: BrowserSession, status: HTTPResponse.Status = .ok)
        -> Response
    {
        addingCookie(of: session, to: page.makeResponse(status: status))
    }

    func addingCookie(of session: BrowserSession, to response: Response) -> Response {
        guard session.isNew else { return response }
        var response = response
        response.headers[.setCookie] =
            "\(BrowserSession.cookieName)=\(session.cookie); Path=/; HttpOnly; SameSite=Lax; "
            + "Max-Age=\(BrowserSession.lifetime)" + (isSecure ? "; Secure" : "")
        return response
    }

    /// Returns whether the request comes from a page of this server. Also returns true if the request has no
    /// `Origin` header, because clients other than browsers do not send this header.
    private func isFromSameOrigin(_ call: SandboxCall) -> Bool {
        guard let origin = call.header("Origin"), let issuer = try? Issuer(call, isSecure: isSecure) else {
            return true
        }
        return origin == issuer.url
    }
}

extension SandboxCall {
    fileprivate func cookie(named name: String) -> String? {
        for part in (header("Cookie") ?? "").split(separator: ";") {
            let pair = part.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
        }
        return nil
    }
}

extension Database {
    fileprivate func findBrowserSession(forCookie cookie: String) throws -> BrowserSession? {
        let row = try fetchRow(
            sql: "SELECT * FROM browserSession WHERE cookie = ? AND expiresAt > ?",
            arguments: [cookie, Timestamp.now.milliseconds])
        guard let row else { return nil }
        let adminID: String? = row["adminID"]
        let person = try adminID.flatMap { try self.findAdmin(id: $0) }
        return BrowserSession(
            cookie: cookie, formToken: row["formToken"],
            signedIn: person.map {
                SignedInSession(
                    admin: $0, authenticatedAt: Timestamp(milliseconds: row["authenticatedAt"]))
            })
    }
}

extension SandboxTransaction {
    fileprivate func beginBrowserSession(for admin: Admin?) throws -> BrowserSession {
        try database.run(
            sql: "DELETE FROM browserSession WHERE expiresAt <= ?", arguments: [now.milliseconds])
        let (cookie, formToken) = (RandomText.makeID(prefix: "browser_"), RandomText.makeID(prefix: "form_"))
        try database.run(
            sql: "INSERT INTO browserSession VALUES (?, ?, ?, ?, ?)",
            arguments: [
                cookie, formToken, admin?.id, now.milliseconds,
                now.advanced(bySeconds: BrowserSession.lifetime).milliseconds,
            ])
        return BrowserSession(
            cookie: cookie, formToken: formToken,
            signedIn: admin.map { SignedInSession(admin: $0, authenticatedAt: now) }, isNew: true)
    }

    func endBrowserSession(_ session: BrowserSession) throws {
        try database.run(sql: "DELETE FROM browserSession WHERE cookie = ?", arguments: [session.cookie])
    }
}
