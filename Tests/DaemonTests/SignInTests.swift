import Config
import ControlAPI
import CutieAPI
import Domain
import Foundation
import NotificationPolicy
import OAuth
import Reasons
import Store
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

/// Tests of the three ways to sign in, and of signing out.
@MainActor
struct SignInTests {
    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture() }

    private func signIn(
        _ unit: AccountUnit, by method: SignInMethod? = .device,
        _ onStep: (SignInService.Step) async throws -> Void = { _ in }
    ) async throws {
        try await unit.requireSignIn().signIn(by: method, loginHint: nil, isNewAccount: false, onStep: onStep)
    }

    @Test func `The account sends no request before the sign-in`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try fixture.staff(at: issuer.url)
        await #expect(throws: APIFailure.self) { try await unit.list() }
        #expect(unit.authentication == .unauthenticated)
        #expect(try !unit.session.canWrite)
        #expect(issuer.api.requestCount(of: ScriptedAPI.list) == 0)
    }

    @Test func `The sign-in shows a device code and then waits until the user has approved it`() async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, _, asked in
            switch asked {
            case 0: connection.refuse("authorization_pending")
            case 1: connection.refuse("slow_down")
            default: false
            }
        })
        let unit = try fixture.staff(at: issuer.url)
        var codes: [String] = []
        try await signIn(unit, by: nil) { step in
            guard case .code(let code, _) = step else { return }
            codes.append(code.userCode + " " + code.verificationURI.description)
        }
        #expect(codes == ["WDJB-MJHT \(issuer.url)/device"])
        #expect(fixture.time.waits.prefix(3).map(\.components.seconds) == [5, 5, 10])
        #expect(unit.authentication == .authenticated)
        #expect(try unit.session.claims?.subject == "kim")
        #expect(try unit.session.scope.names == ["openid", "offline_access", "conversations:read"])
        #expect(try fixture.logged(.accountAuthenticated).count == 1)
        try await unit.list()
    }

    @Test(arguments: [
        ("expired_token", SignInFailure.expired), ("access_denied", .denied),
    ])
    func `A sign-in with a device code fails with the error that the issuer reports`(
        code: String, failure: SignInFailure
    )
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, _, _ in connection.refuse(code) })
        let unit = try fixture.staff(at: issuer.url)
        await #expect(throws: failure) { try await signIn(unit) }
        #expect(unit.authentication == .unauthenticated)
    }

    @Test func `A captive portal delays a sign-in but does not abort the sign-in`() async throws {
        let issuer = try ScriptedIssuer(token: { connection, _, asked in
            asked == 0 && connection.answer("200 OK", body: "<html>Log in</html>")
        })
        let unit = try fixture.staff(at: issuer.url)
        try await signIn(unit)
        #expect(unit.authentication == .authenticated)
    }

    @Test func `The error mentions both responses if the issuer sends a web page and then refuses the code`()
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, _, asked in
            asked == 0
                ? connection.answer("200 OK", body: "<html>Welcome</html>")
                : connection.refuse("invalid_grant")
        })
        let unit = try fixture.staff(at: issuer.url)
        await #expect {
            try await signIn(unit)
        } throws: { error in
            guard case .failed(let reason)? = error as? SignInFailure else { return false }
            return reason.english.contains("now refuses the code")
        }
    }

    @Test func `The error for an unsupported sign-in method lists the supported methods`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try fixture.staff(at: issuer.url)
        await #expect {
            try await signIn(unit, by: .client)
        } throws: { error in
            guard case .notOffered(let reason)? = error as? SignInFailure else { return false }
            return reason.english.contains("client") && reason.english.contains("device, browser")
        }
    }

    @Test func `A machine account signs in with its client secret and does not request the scopes of a user`()
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, form, asked in
            form["grant_type"] == "client_credentials"
                && connection.answer(
                    body: #"{"access_token":"access-secret-\#(asked)","token_type":"Bearer","expires_in":60}"#
                )
        })
        issuer.state.withLock { $0.taken = ["access-secret-0", "access-secret-1"] }
        let file = fixture.directory.path + "/client-secret"
        try "s3cret-of-machines\n".write(toFile: file, atomically: true, encoding: .utf8)
        let unit = try fixture.staff(at: issuer.url) { $0.signIn.clientSecretFile = file }
        try await signIn(unit, by: .client)
        #expect(try unit.session.claims == Claims(subject: "cutied"))
        // The request contains no scopes: the default scopes are for users, and the issuer would refuse them.
        #expect(issuer.forms.first?["scope"] == nil)
        fixture.time.pass(.seconds(100))
        try await unit.list()
        #expect(issuer.forms.map { $0["grant_type"] } == ["client_credentials", "client_credentials"])
    }

    // MARK: The browser

    /// Starts a sign-in with the browser and passes the parameters of the authorization URL to `body`.
    private func inBrowser(
        _ unit: AccountUnit, _ issuer: ScriptedIssuer,
        _ body: @MainActor ([String: String]) async throws -> Void
    ) async throws {
        let page = Mutex<String?>(nil)
        try await running(
            {
                try? await unit.requireSignIn().signIn(by: .browser, loginHint: nil, isNewAccount: false) {
                    step in
                    if case .page(let text) = step { page.withLock { $0 = text } }
                }
            },
            while: {
                try await eventually("the authorization URL is received") { page.withLock { $0 } != nil }
                let items = URLComponents(string: page.withLock { $0 } ?? "")?.queryItems ?? []
                let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
                issuer.state.withLock { $0.nonce = query["nonce"] }
                try await body(query)
            })
    }

    private func redirect(
        _ query: [String: String], _ issuer: ScriptedIssuer, state: String? = nil, iss: String? = nil
    ) throws -> Redirect {
        try Redirect(
            "\(query["redirect_uri"] ?? "")?code=code-secret&state=\(state ?? query["state"] ?? "")"
                + "&iss=\(iss ?? issuer.url)")
    }

    @Test func `The redirect from the browser completes the sign-in and is accepted only once`() async throws
    {
        let issuer = try ScriptedIssuer()
        let unit = try fixture.staff(at: issuer.url)
        let signIn = try unit.requireSignIn()
        try await inBrowser(unit, issuer) { query in
            #expect(query["redirect_uri"] == "cutie://signin" && query["code_challenge_method"] == "S256")
            let redirect = try redirect(query, issuer)
            #expect(try await signIn.matchesPendingSignIn(redirect))
            try await signIn.completeSignIn(with: redirect)
            #expect(unit.authentication == .authenticated)
            let form = try #require(issuer.forms.last)
            #expect(form["code"] == "code-secret" && form["redirect_uri"] == "cutie://signin")
            #expect(
                form["code_verifier"]?.isEmpty == false && form["code_verifier"] != query["code_challenge"])
            await #expect(throws: Redirect.Refusal.expired) {
                try await signIn.completeSignIn(with: redirect)
            }
        }
        #expect(issuer.forms.count == 1)
    }

    @Test func `A redirect that belongs to another sign-in has no effect`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try fixture.staff(at: issuer.url) { $0.signIn.issuer = issuer.url }
        let signIn = try unit.requireSignIn()
        try await inBrowser(unit, issuer) { query in
            #expect(query["redirect_uri"] == "io.cutied.cutied:/signin")
            let foreign = try redirect(query, issuer, state: "other")
            #expect(try await !signIn.matchesPendingSignIn(foreign))
            await #expect(throws: Redirect.Refusal.unknownState) {
                try await signIn.completeSignIn(with: foreign)
            }
            await #expect(throws: Redirect.Refusal.otherIssuer) {
                try await signIn.completeSignIn(
                    with: try redirect(query, issuer, iss: "https://evil.example"))
            }
            #expect(issuer.forms.isEmpty, "nothing was sent")
            try await signIn.completeSignIn(with: try redirect(query, issuer))
            #expect(unit.authentication == .authenticated, "the right one counts still")
        }
    }

    @Test(arguments: [(599, true), (600, false)])
    func `A pending sign-in can be completed for ten minutes, even after a restart of the daemon`(
        seconds: Int, isIn: Bool
    )
        async throws
    {
        let issuer = try ScriptedIssuer()
        let fixture = try IngestFixture(.never)
        let unit = try fixture.staff(at: issuer.url)
        var known: [String: String] = [:]
        try await inBrowser(unit, issuer) { known = $0 }
        fixture.time.pass(.seconds(seconds))
        let again = try fixture.staff(at: issuer.url)
        let redirect = try redirect(known, issuer)
        #expect(try await again.requireSignIn().matchesPendingSignIn(redirect))
        if isIn {
            try await again.requireSignIn().completeSignIn(with: redirect)
        } else {
            await #expect(throws: Redirect.Refusal.expired) {
                try await again.requireSignIn().completeSignIn(with: redirect)
            }
        }
        #expect((again.authentication == .authenticated) == isIn)
    }

    @Test func `A new sign-in replaces a pending sign-in, and signing out cancels a pending device code`()
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, form, _ in
            form["grant_type"]?.hasSuffix("device_code") == true && connection.refuse("authorization_pending")
        })
        let unit = try fixture.staff(at: issuer.url)
        let service = try unit.requireSignIn()
        async let browser = failure(of: unit, by: .browser)
        try await eventually("the page") { service.pending != nil }
        async let device = failure(of: unit, by: .device)
        let first = await browser
        #expect(first as? SignInFailure == .superseded)
        try await eventually("the code") { service.offer != nil }
        _ = try await service.signOut(within: .zero)
        #expect(service.offer == nil)
        let second = await device
        #expect(second as? SignInFailure == .superseded)
    }

    private func failure(of unit: AccountUnit, by method: SignInMethod) async -> (any Error)? {
        do { try await signIn(unit, by: method) } catch { return error }
        return nil
    }

    @Test func `A sign-in fails if the ID token belongs to another sign-in`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try fixture.staff(at: issuer.url)
        try await inBrowser(unit, issuer) { query in
            issuer.state.withLock { $0.nonce = "other" }
            await #expect(throws: IDToken.Problem.otherNonce) {
                try await unit.requireSignIn().completeSignIn(with: try redirect(query, issuer))
            }
        }
        #expect(unit.authentication == .unauthenticated)
    }

    // MARK: Signing out

    @Test func `Signing out revokes the refresh token and deletes the other data of the session`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        let signIn = try unit.requireSignIn()
        try await running(
            { try await unit.feed.authorizer.runPeriodicWork(using: unit.feed.client) },
            while: {
                // The timeout is long, so that it does not expire while a busy issuer responds.
                let waits = try await signIn.signOut(within: .seconds(60))
                #expect(!waits)
            })
        #expect(issuer.state.withLock { $0.revoked }.map { $0["token"] } == ["refresh-secret-1"])
        #expect(try fixture.store.read { try $0.outbox.fetchItems() }.isEmpty)
        #expect(unit.authentication == .unauthenticated)
        #expect(try !unit.session.canWrite && unit.session.claims == nil)
        #expect(try !unit.session.needsReport, "the user already knows that the session has ended")
        try expectNoSecrets(["access-secret", "refresh-secret"], inSecrets: true)
    }

    @Test func `A new sign-in revokes the previous refresh token`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        try await running(
            { try await unit.feed.authorizer.runPeriodicWork(using: unit.feed.client) },
            while: {
                try await signIn(unit)
                try await eventually("the first token is revoked") {
                    issuer.state.withLock { $0.revoked.map { $0["token"] } } == ["refresh-secret-1"]
                }
            })
        #expect(unit.authentication == .authenticated)
    }

    @Test func `Cancelling a pending revocation deletes the token that would have been revoked`() async throws
    {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        _ = try await unit.requireSignIn().signOut(within: .zero)
        let item = try #require(try fixture.store.read { try $0.outbox.fetchItems() }.first)
        #expect(
            try await unit.session.sessionSecrets.readTokenToRevoke(forItem: item.id) == "refresh-secret-1")
        try await unit.requireSignIn().cancelRevocation(forItem: item.id)
        #expect(try await unit.session.sessionSecrets.readTokenToRevoke(forItem: item.id) == nil)
        try expectNoSecrets(["access-secret", "refresh-secret"], inSecrets: true)
    }

    @Test func `After signing out offline, the token is revoked later, even after a restart`() async throws {
        let away = Mutex(true)
        let issuer = try ScriptedIssuer([
            ScriptedIssuer.revoke: { connection, _, _ in
                away.withLock { $0 } && connection.answer("503 Service Unavailable")
            }
        ])
        let unit = try await fixture.signedIn(at: issuer)
        try await running(
            { try await unit.feed.authorizer.runPeriodicWork(using: unit.feed.client) },
            while: {
                let waits = try await unit.requireSignIn().signOut(within: .seconds(1))
                #expect(waits)
            })
        #expect(unit.authentication == .unauthenticated)
        #expect(try fixture.store.read { try $0.outbox.fetchItems() }.map(\.kind) == ["revocation"])
        try expectNoSecrets(["access-secret", "refresh-secret"])
        away.withLock { $0 = false }
        let again = try fixture.staff(at: issuer.url)
        try await running(
            { try await again.feed.authorizer.runPeriodicWork(using: again.feed.client) },
            while: {
                try await fixture.time.advance(until: "the revocation is sent") {
                    try fixture.store.read { try $0.outbox.fetchItems() }.isEmpty
                }
            })
        // The test ignores duplicates, because a revocation is repeated if its response is late.
        #expect(Set(issuer.state.withLock { $0.revoked }.map { $0["token"] }) == ["refresh-secret-1"])
    }

    @Test func `Neither the database nor a printed value contains a token`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        fixture.time.pass(.seconds(4000))
        try await unit.list()
        let session = try unit.session
        let said = "\(session.state) \(String(reflecting: session.record)) \(session.claims.debugDescription)"
        #expect(!said.contains("-secret"))
        try expectNoSecrets(["access-secret", "refresh-secret", "device-secret"])
    }

    /// Checks that no file in the state directory contains any of `words`. By default, skips the file of the
    /// secret store.
    private func expectNoSecrets(_ words: [String], inSecrets: Bool = false) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(files.contains("cutied.db"))
        for file in files where inSecrets || file != "secrets" {
            let bytes = try Data(contentsOf: URL(filePath: fixture.directory.path + "/" + file))
            for word in words {
                for spelling in [
                    Data(word.utf8), Data(Data(word.utf8).base64EncodedString().dropLast(4).utf8),
                ] {
                    #expect(bytes.range(of: spelling) == nil, "\(word) is in \(file)")
                }
            }
        }
    }
}

/// Tests of signing in through the control socket and through notifications.
@MainActor
struct SignInMethodsTests {
    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture() }

    private func accounts(at issuer: ScriptedIssuer) throws -> AccountRegistry {
        let accounts = AccountRegistry(log: fixture.log)
        var staff = AccountConfiguration(name: "desk", kind: .staff)
        (staff.apiURL, staff.transport) = (try APIAddress(issuer.url), .poll)
        try fixture.supervisor(of: accounts).applyConfigurations([.sample(at: issuer.url), staff])
        return accounts
    }

    @Test func `In a sign-in, the first reply contains the next step and the last reply contains the user`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let methods = SignInMethods(
            service: SessionService(
                accounts: try accounts(at: issuer), signOutLosses: { _ in [] }, presence: fixture.presence,
                runtime: fixture.runtime),
            notificationController: fixture.queue().notificationController)
        let before = try methods.getSession(GetSession()).session
        #expect(
            before.auth == .unauthenticated
                && before.reason == "you are not signed in; run `cutied ctl signin`"
        )
        var replies: [ControlAPI.SignIn.Reply] = []
        try await methods.signIn(ControlAPI.SignIn(method: "device")) { reply, isLast in
            replies.append(reply)
            #expect(isLast == (reply.session != nil))
        }
        #expect(replies.map(\.userCode) == ["WDJB-MJHT", nil])
        let session = try #require(replies.last?.session)
        #expect(session.name == "Kim" && session.adminId == "kim" && session.account == "desk")
        #expect(!"\(replies)".contains("-secret"), "no token is in an answer")
        issuer.state.withLock { $0.name = "Kim Smith" }
        #expect(try await methods.refreshProfile(RefreshProfile()).session.name == "Kim Smith")
        let preview = try await methods.signOut(SignOut(dryRun: true))
        #expect(preview.revoked == ["the sign-in of kim@example.com"])
        #expect(try methods.getSession(GetSession()).session.auth == .authenticated, "it only tells")
    }

    @Test
    func `Signing in to a device account is refused, and so is a redirect if no sign-in is pending`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let methods = SignInMethods(
            service: SessionService(
                accounts: try accounts(at: issuer), signOutLosses: { _ in [] }, presence: fixture.presence,
                runtime: fixture.runtime),
            notificationController: fixture.queue().notificationController)
        #expect(throws: InvalidArgument.self) {
            try asClient { try methods.getSession(GetSession(account: "default")) }
        }
        await #expect(throws: AccessDenied.self) {
            try await asClient {
                try await methods.completeSignIn(CompleteSignIn(redirect: "cutie://signin?code=c&state=s"))
            }
        }
        await #expect(throws: InvalidArgument.self) {
            try await asClient {
                try await methods.completeSignIn(CompleteSignIn(redirect: "cutie://signin?code=c"))
            }
        }
        await #expect(throws: InvalidArgument.self) {
            try await asClient {
                try await methods.signIn(ControlAPI.SignIn(method: "password")) { _, _ in }
            }
        }
    }

    @Test func `The device code is shown in a notification, which is closed after the code has been used`()
        async throws
    {
        let isAllowed = Mutex(false)
        let issuer = try ScriptedIssuer(token: { connection, form, _ in
            form["grant_type"]?.hasSuffix("device_code") == true && !isAllowed.withLock { $0 }
                && connection.refuse("authorization_pending")
        })
        let accounts = try accounts(at: issuer)
        let unit = try #require(accounts.units.last)
        let (server, queue) = (FakeNotificationServer(), fixture.queue())
        let screen = fixture.screen(server, queue.notificationController)
        let notice = SignInNotice(
            accounts: accounts, screen: screen, notificationController: queue.notificationController,
            runtime: fixture.runtime)
        try await running(
            { try await notice.run() },
            while: {
                try await running(
                    {
                        try await unit.requireSignIn().signIn(
                            by: .device, loginHint: nil, isNewAccount: false
                        ) {
                            _ in
                        }
                    },
                    while: {
                        try await eventually("the code") { server.shown.count >= 1 }
                        let page = fixture.conversationActions(accounts).verificationPage(of: unit.account.id)
                        #expect(page?.hasPrefix("http") == true)
                        isAllowed.withLock { $0 = true }
                        try await eventually("the user is signed in") {
                            try unit.session.authentication == .authenticated
                        }
                        try await eventually("the notification is closed") { server.closed.count >= 1 }
                    })
            })
        let notification = try #require(server.shown.first?.notification)
        #expect(notification.summary.contains("WDJB-MJHT") && notification.body.contains("/device"))
        #expect(fixture.conversationActions(accounts).verificationPage(of: unit.account.id) == nil)
    }

    @Test
    func `The device code is shown in a notification only while no focused window displays the code`()
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, form, _ in
            form["grant_type"]?.hasSuffix("device_code") == true
                && connection.refuse("authorization_pending")
        })
        let accounts = try accounts(at: issuer)
        let unit = try #require(accounts.units.last)
        let (server, queue) = (FakeNotificationServer(), fixture.queue())
        let screen = fixture.screen(server, queue.notificationController)
        let notice = SignInNotice(
            accounts: accounts, screen: screen, notificationController: queue.notificationController,
            runtime: fixture.runtime)
        let methods = SignInMethods(
            service: SessionService(
                accounts: accounts, signOutLosses: { _ in [] }, presence: fixture.presence,
                runtime: fixture.runtime),
            notificationController: queue.notificationController)
        let isDisplaying = Mutex(false)
        try await running(
            { try await notice.run() },
            while: {
                try await running(
                    {
                        try await unit.requireSignIn().signIn(
                            by: .device, loginHint: nil, isNewAccount: false
                        ) {
                            _ in
                        }
                    },
                    while: {
                        try await running(
                            {
                                try await methods.suppressCodeNotification(
                                    during: AttendSignIn(account: unit.account.name)
                                ) {
                                    isDisplaying.withLock { $0 = true }
                                }
                            },
                            while: {
                                try await eventually("the code is displayed") {
                                    isDisplaying.withLock { $0 } && unit.signIn?.offer != nil
                                }
                                // The window now shows the code, so the notification with the code is closed.
                                try await eventually("no notification") { screen.state.notifications.isEmpty }
                            })
                        // The window has lost the focus, so the code is shown in a notification again.
                        try await eventually("the notification") { !screen.state.notifications.isEmpty }
                    })
            })
        #expect(server.shown.last?.notification.summary.contains("WDJB-MJHT") == true)
    }

    @Test func `The end of a session is reported by only one notification`() async throws {
        let issuer = try ScriptedIssuer(token: { connection, form, _ in
            form["grant_type"] == "refresh_token" && connection.refuse("invalid_grant")
        })
        let accounts = try accounts(at: issuer)
        let unit = try #require(accounts.units.last)
        try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        let (server, queue) = (FakeNotificationServer(), fixture.queue())
        let screen = fixture.screen(server, queue.notificationController)
        let notice = SignInNotice(
            accounts: accounts, screen: screen, notificationController: queue.notificationController,
            runtime: fixture.runtime)
        try await running(
            { try await notice.run() },
            while: {
                fixture.time.pass(.seconds(4000))
                for _ in 0..<3 { await #expect(throws: APIFailure.self) { try await unit.list() } }
                try await eventually("the end of the session is reported") { !server.shown.isEmpty }
                try await eventually("the report is recorded") { try !unit.session.needsReport }
            })
        #expect(server.shown.map(\.notification.summary) == ["Sign in again"])
        #expect(server.shown.first?.notification.actions.map(\.id) == ["default", "sign-in"])
        let outages = try accounts.fetchOutages()
        #expect(!outages.contains { $0.account == unit.account.id }, "the outage notice does not repeat it")
    }
}
