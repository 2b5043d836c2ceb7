import CutieAPI
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// The two ways in which a device hears of events; a server may lack each.
struct EventRoutes: Sendable {
    let archive: Archive
    let gate: Gate
    let options: SandboxOptions

    func add(to router: Router<BasicRequestContext>) {
        if gate.has(.stream) { router.resource("/v1/events/stream", [.get: stream]) }
        if gate.has(.longPoll) { router.resource("/v1/events", [.get: longPoll]) }
    }

    @Sendable private func stream(_ call: Call) async throws -> Response {
        let accept = call.header(HeaderName.accept) ?? "*/*"
        guard accept.contains("text/event-stream") || accept.contains("*/*") else {
            throw Refusal(.notAcceptable, "this path gives text/event-stream")
        }
        let credential = try gate.device(call)
        let cursor = Cursor(call.header(HeaderName.lastEventID))
        let stream = EventStream(
            archive: archive, credential: credential, heartbeat: options.heartbeat,
            first: try await archive.events(cursor, for: credential))
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            // A client that went is noticed at the next write, at the latest the heartbeat's.
            body: ResponseBody { writer in
                try await stream.write(to: &writer)
                try await writer.finish(nil)
            })
    }

    @Sendable private func longPoll(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        let wait = try call.number("wait", default: 0, in: 0...60)
        let deadline = ContinuousClock.now + .seconds(wait)
        let first = try await archive.events(Cursor(call.query("after")), for: credential)
        let batch = try await withGracefulShutdownHandler {
            try await archive.wait(for: credential, after: first, until: deadline)
        } onGracefulShutdown: { [archive] in
            archive.doorbell.close()
        }
        return .json(bytes: archive.page(batch))
    }
}

extension Cursor {
    fileprivate init(_ text: String?) {
        self = text.flatMap { $0.isEmpty ? nil : Event.ID($0) }.map(Self.after) ?? .now
    }
}
