import Dispatch
import Glibc

/// A stream of what a descriptor tells, without a thread that waits for it. The descriptor closes when the
/// stream's reader goes.
enum DescriptorEvents {
    /// `read` takes all there is and says whether it means something; more than one that nobody has
    /// looked at yet are one.
    static func stream(
        of descriptor: consuming Descriptor, read: @escaping @Sendable (Int32) -> Bool
    ) -> AsyncStream<Void> {
        let number = descriptor.release()
        let source = Source(DispatchSource.makeReadSource(fileDescriptor: number, queue: .global()))
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            source.value.setEventHandler { @Sendable in
                if read(number) { continuation.yield() }
            }
            source.value.setCancelHandler { @Sendable in close(number) }
            continuation.onTermination = { _ in source.value.cancel() }
            source.value.activate()
        }
    }

    /// Dispatch sources may be cancelled from any thread, but do not say so to the compiler.
    private struct Source: @unchecked Sendable {
        let value: any DispatchSourceRead

        init(_ value: any DispatchSourceRead) { self.value = value }
    }
}
