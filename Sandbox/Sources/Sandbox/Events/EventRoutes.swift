import CutieAPI
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Routes for events of devices and admins: an event stream and long polling. Each transport can be disabled.
struct EventRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser
    let options: SandboxOptions

    func addRoutes(to router: Router<BasicRequestContext>) {
        if requestParser.isEnabled(.stream) {
            router.addResource(at: "/v1/events/stream", [.get: streamEvents])
        }
        if requestParser.isEnabled(.longPoll) { router.addResource(at: "/v1/events", [.get: pollEvents]) }
    }

    @Sendable private func streamEvents(_ call: SandboxCall) async throws -> Response {
        let accept = call.header(HeaderName.accept) ?? "*/*"
        guard accept.contains("text/event-stream") || accept.contains("*/*") else {
            throw Refusal(.notAcceptable, "this path returns text/event-stream")
        }
        let credential = try requestParser.parseCredential(of: call)
        let cursor = Cursor(call.header(HeaderName.lastEventID))
        let stream = EventStream(
            archive: archive, credential: credential, heartbeat: options.heartbeat,
            first: try await archive.fetchEvents(from: cursor, for: credential))
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            // The server detects a closed connection only when it writes the next event or heartbeat.
            body: ResponseBody { writer in
                try await stream.write(to: &writer)
                try await writer.finish(nil)
            })
    }

    @Sendable private func pollEvents(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseCredential(of: call)
        let wait = try call.queryNumber("wait", default: 0, in: 0...60)
        let deadline = ContinuousClock.now + .seconds(wait)
        let first = try await archive.fetchEvents(from: Cursor(call.queryParameter("after")), for: credential)
        let batch = try await withGracefulShutdownHandler {
            try await archive.waitForEvents(for: credential, after: first, until: deadline)
        } onGracefulShutdown: { [archive] in
            archive.eventWakeup.close()
        }
        return .json(bytes: archive.encodeLongPollBody(of: batch))
    }
}

extension Cursor {
    fileprivate init(_ text: String?) {
        self = text.flatMap { $0.isEmpty ? nil : Event.ID($0) }.map(Self.after) ?? .now
    }
}

/// An open event stream of a device or an admin. Each stream reads the event log separately, so a slow client
/// needs memory for only one batch.
struct EventStream: Sendable {
    let archive: Archive
    let credential: Credential
    let heartbeat: Duration
    let first: EventBatch

    /// Writes events until the client disconnects, its token is revoked or expires, or the server stops.
    @concurrent func write(to writer: inout any ResponseBodyWriter) async throws {
        // A graceful shutdown waits for open responses, so close the `EventWakeup` to end this response.
        try await withGracefulShutdownHandler {
            try await writeEvents(to: &writer)
        } onGracefulShutdown: { [archive] in
            archive.eventWakeup.close()
        }
    }

    @concurrent private func writeEvents(to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: "retry: 10000\n\n: here\n\n"))
        var beat = ContinuousClock.now + heartbeat
        var batch = first
        while !archive.eventWakeup.isClosed {
            if !batch.events.isEmpty { try await writer.write(batch.eventStreamBytes) }
            if !batch.isTruncated {
                await archive.eventWakeup.waitForEvent(
                    of: batch.group, after: batch.scanned, until: min(beat, batch.expiryInstant))
            }
            try Task.checkCancellation()
            if beat <= .now {
                try await writer.write(ByteBuffer(string: ": here\n\n"))
                beat = .now + heartbeat
            }
            do {
                batch = try await archive.fetchEvents(after: batch.scanned, for: credential)
            } catch let refusal as Refusal where refusal.kind == .unauthorized {
                return
            }
        }
    }
}

extension EventBatch {
    fileprivate var expiryInstant: ContinuousClock.Instant {
        guard let credentialExpiry else { return .now + .seconds(86_400) }
        return .now + .milliseconds(max(0, credentialExpiry.milliseconds - Timestamp.now.milliseconds))
    }

    /// The events in the `text/event-stream` format. Each event has one `data` field, because the JSON
    /// contains no line breaks.
    fileprivate var eventStreamBytes: ByteBuffer {
        var buffer = ByteBuffer()
        for event in events {
            buffer.writeString("id: \(event.id)\nevent: \(event.type)\ndata: ")
            buffer.writeBytes(event.body)
            buffer.writeString("\n\n")
        }
        return buffer
    }
}

extension Archive {
    /// Waits for events until `deadline`. Returns `first` immediately if that batch is not empty; otherwise
    /// returns the next batch, which is empty after a timeout.
    func waitForEvents(
        for credential: Credential, after first: EventBatch, until deadline: ContinuousClock.Instant
    ) async throws -> EventBatch {
        var batch = first
        while batch.events.isEmpty, ContinuousClock.now < deadline, !eventWakeup.isClosed {
            await eventWakeup.waitForEvent(of: batch.group, after: batch.scanned, until: deadline)
            try Task.checkCancellation()
            batch = try await fetchEvents(after: batch.scanned, for: credential)
        }
        return batch
    }

    func encodeLongPollBody(of batch: EventBatch) -> [UInt8] {
        var bytes = Array("{\"cursor\":\"\(epoch.eventID(forNumber: batch.scanned))\",\"events\":[".utf8)
        for (index, event) in batch.events.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += event.body
        }
        return bytes + Array("]}".utf8)
    }
}
