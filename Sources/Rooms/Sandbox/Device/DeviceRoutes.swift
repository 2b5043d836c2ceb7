import CutieAPI
import Hummingbird

/// Registration.
struct DeviceRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/device/register", [.post: register])
    }

    @Sendable private func register(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        let registration: Registration = try call.decode()
        guard registration.appID == credential.appID else {
            throw Refusal(.unauthorized, "app_id is another than X-App-ID")
        }
        return try .json(await archive.change { try $0.register(credential.device, registration) })
    }
}
