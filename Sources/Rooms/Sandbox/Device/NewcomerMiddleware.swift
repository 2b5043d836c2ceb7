import Crypto
import CutieAPI
import FoundationEssentials
import Hummingbird

/// Makes devices known that do not register, with their first call: all of them where no device does, and those
/// of legacy accounts, which have an API key.
struct NewcomerMiddleware: RouterMiddleware {
    let archive: Archive
    let gate: Gate

    @concurrent func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let call = Call(request: request, parameters: context.parameters, body: [])
        // Whom the gate refuses the route refuses, too, in its own way.
        if call.header(HeaderName.authorization) == nil, !Self.admits(request.uri.path),
            let credential = try? gate.device(call), credential.isNewcomer
        {
            try await admit(credential)
        }
        return try await next(request, context)
    }

    /// Whether the path itself makes devices known.
    private static func admits(_ path: String) -> Bool {
        path == "/v1/device/register" || path.hasPrefix("/v1/feedback-app/")
    }

    private func admit(_ credential: DeviceCredential) async throws {
        guard try await !archive.read({ try $0.knows(credential.device) }) else { return }
        try await archive.change { change in
            guard try !change.database.knows(credential.device) else { return }
            try change.add(credential.device, of: credential.appID)
        }
    }
}

extension DeviceID {
    /// Whose ids have no `device_` in front, as those of the link SDK, gets it.
    static func full(_ id: String) -> DeviceID {
        DeviceID(UUID(uuidString: id) == nil ? id : "device_" + id)
    }

    /// For calls that name no device: always the same for one key.
    static func standIn(for key: String) -> DeviceID {
        let digest = Hexadecimal.text(of: SHA256.hash(data: Data(key.utf8)))
        let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)].map { start, end in
            digest.dropFirst(start).prefix(end - start)
        }
        return DeviceID("device_" + parts.joined(separator: "-"))
    }
}
