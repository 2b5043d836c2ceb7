import CutieAPI
import Hummingbird

/// The route `POST /v1/sandbox/admins`, which creates a support account without a browser.
struct AdminAccountRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/sandbox/admins", [.post: createAdmin])
    }

    /// Creates the account. If the request contains no password, generates a password and returns it only in
    /// this response.
    @Sendable private func createAdmin(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        try await archive.read { _ = try $0.requireAdmin(ofAccessToken: token, scopes: .sandbox) }
        let wish: AdminRequest = try call.decodeBody()
        try wish.name.requireNonBlank(fieldName: "name")
        guard let email = EmailAddress(wish.email) else {
            throw Refusal(.unprocessable, "email must be an e-mail address")
        }
        let password = wish.password ?? RandomText.makePassword()
        if let objection = PasswordStrength.findWeakness(in: password, knownWords: [wish.name, wish.email]) {
            throw Refusal(.unprocessable, objection)
        }
        let new = NewAdmin(
            name: wish.name, email: email, password: try await .compute(from: password), isEmailVerified: true
        )
        let admin = try await archive.change { try $0.addAdmin(new) }
        return try .json(CreatedAdmin(adminID: admin.id, password: password), status: .created)
    }
}

/// A request for a new support account.
struct AdminRequest: Codable {
    let name: String
    let email: String
    var password: String?
}

struct CreatedAdmin: Codable {
    let adminID: String
    let password: String

    enum CodingKeys: String, CodingKey {
        case password
        case adminID = "admin_id"
    }
}
