import CutieAPI
import Hummingbird

/// Where no device registers, whoever names itself is known from its first call on.
struct NewcomerMiddleware: RouterMiddleware {
    let archive: Archive
    let gate: Gate

    @concurrent func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        // Whom the gate refuses the route refuses, too, in its own way.
        let call = Call(request: request, parameters: context.parameters, body: [])
        if let device = try? gate.device(call).device,
            try await !archive.read({ try $0.knows(device) })
        {
            try await archive.change { if try !$0.database.knows(device) { try $0.add(device) } }
        }
        return try await next(request, context)
    }
}
