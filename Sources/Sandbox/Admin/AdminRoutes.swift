import CutieAPI
import Hummingbird

/// What only admins call.
struct AdminRoutes: Sendable {
    let archive: Archive
    let gate: Gate
    let client: OAuthClient

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/auth/oauth/token", [.post: token])
    }

    @Sendable private func token(_ call: Call) async throws -> Response {
        let request: OAuth.Request = try call.decode()
        return try .json(await archive.change { [client] in try $0.grant(request, to: client) })
    }
}
