import CutieAPI
import Hummingbird

/// What only admins call.
struct AdminRoutes: Sendable {
    let archive: Archive

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/auth/oauth/token", [.post: token])
    }

    @Sendable private func token(_ call: Call) async throws -> Response {
        let request = try OAuth.Request(call)
        var response = try Response.json(await archive.change { try $0.grant(request) })
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
