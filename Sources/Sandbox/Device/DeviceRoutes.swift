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
        let device = try gate.device(call).device
        let registration: Registration = try call.decode()
        guard registration.appID == gate.appID else {
            throw Refusal(.unauthorized, "app_id is another than X-App-ID")
        }
        return try .json(await archive.change { try $0.register(device, registration) })
    }
}
