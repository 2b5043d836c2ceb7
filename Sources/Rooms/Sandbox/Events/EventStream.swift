import Hummingbird
import ServiceLifecycle

/// One device's open stream. It reads the log at its own pace and sleeps until the bell rings, so that a
/// reader that does not read costs one batch.
struct EventStream: Sendable {
    let archive: Archive
    let credential: DeviceCredential
    let heartbeat: Duration
    let first: EventBatch

    /// Writes until the device goes, its token is revoked or the server ends.
    @concurrent func write(to writer: inout any ResponseBodyWriter) async throws {
        // Graceful shutdown waits for open responses: without this it would wait for the device.
        try await withGracefulShutdownHandler {
            try await writeEvents(to: &writer)
        } onGracefulShutdown: { [archive] in
            archive.doorbell.close()
        }
    }

    @concurrent private func writeEvents(to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: "retry: 10000\n\n: here\n\n"))
        var beat = ContinuousClock.now + heartbeat
        var batch = first
        while !archive.doorbell.isClosed {
            if !batch.events.isEmpty { try await writer.write(batch.records) }
            if !batch.isCut {
                await archive.doorbell.wait(for: batch.group, after: batch.scanned, until: beat)
            }
            try Task.checkCancellation()
            if beat <= .now {
                try await writer.write(ByteBuffer(string: ": here\n\n"))
                beat = .now + heartbeat
            }
            do {
                batch = try await archive.events(after: batch.scanned, for: credential)
            } catch let refusal as Refusal where refusal.kind == .unauthorized {
                return
            }
        }
    }
}

extension EventBatch {
    /// As an event stream: JSON has no line ends of its own.
    fileprivate var records: ByteBuffer {
        var buffer = ByteBuffer()
        for event in events {
            buffer.writeString("id: \(event.id)\nevent: \(event.type)\ndata: ")
            buffer.writeBytes(event.body)
            buffer.writeString("\n\n")
        }
        return buffer
    }
}
