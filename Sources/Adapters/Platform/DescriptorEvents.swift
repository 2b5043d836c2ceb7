import Threads

/// A stream of what a descriptor tells. The descriptor closes when the stream's reader goes.
enum DescriptorEvents {
    /// `read` takes all there is and says whether it means something; more than one that nobody has
    /// looked at yet are one.
    static func stream(
        of descriptor: consuming Descriptor, read: @escaping @Sendable (Int32) -> Bool
    ) -> AsyncStream<Void> {
        let source = Source(descriptor)
        return AsyncStream {
            while true {
                let number = source.descriptor.number
                let isReady = try? await EventLoop.shared.wait(for: .readable, of: number)
                guard isReady != nil else { return nil }
                if read(number) { return () }
            }
        }
    }

    private final class Source: Sendable {
        let descriptor: Descriptor

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }
}
