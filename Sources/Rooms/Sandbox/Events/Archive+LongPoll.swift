import CutieAPI

extension Archive {
    /// The first events behind `batch`, or none at `deadline`. A batch that has some is the answer itself.
    func wait(
        for credential: DeviceCredential, after first: EventBatch, until deadline: ContinuousClock.Instant
    ) async throws -> EventBatch {
        var batch = first
        while batch.events.isEmpty, ContinuousClock.now < deadline, !doorbell.isClosed {
            await doorbell.wait(for: batch.group, after: batch.scanned, until: deadline)
            try Task.checkCancellation()
            batch = try await events(after: batch.scanned, for: credential)
        }
        return batch
    }

    /// The answer of a long-poll, made of the bodies as they are stored.
    func page(_ batch: EventBatch) -> [UInt8] {
        var bytes = Array("{\"cursor\":\"\(epoch.id(of: batch.scanned))\",\"events\":[".utf8)
        for (index, event) in batch.events.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += event.body
        }
        return bytes + Array("]}".utf8)
    }
}
