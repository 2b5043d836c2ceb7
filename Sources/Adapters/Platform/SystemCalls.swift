import CLinux
import Glibc
import Runtime

/// The error of a system call.
public struct SystemFailure: Error, Hashable, Sendable {
    /// The call and its argument, such as `open /etc/hosts`.
    public let call: String
    /// The errno of the call.
    public let code: Int32

    init(_ call: String, code: Int32 = errno) { self.init(call: call, code: code) }

    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }
}

extension SystemFailure: CustomStringConvertible {
    public var description: String { call + ": " + String(cString: strerror(code)) }
}

extension Descriptor {
    /// Takes ownership of the result of the system call `call`. Throws if `number` is negative, which means
    /// that the call failed.
    init(_ number: Int32, resultOf call: @autoclosure () -> String) throws(SystemFailure) {
        guard number >= 0 else { throw SystemFailure(call()) }
        self.init(owning: number)
    }

    /// Returns a memory file that contains `bytes`, positioned at the start. Unlike a pipe, the file does
    /// not need a task that writes the bytes.
    static func makeMemoryFile(containing bytes: [UInt8]) throws(SystemFailure) -> Descriptor {
        let file = try Descriptor(clinux_open_memory_file(), resultOf: "memfd_create")
        guard file.write(bytes) else { throw SystemFailure("write an input") }
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemFailure("lseek") }
        return file
    }
}

/// Streams of events that are read from a descriptor. The descriptor is closed when the stream is
/// deallocated.
enum DescriptorEvents {
    /// Returns a stream that calls `read` when `descriptor` is readable. `read` must consume all pending
    /// data, and returns whether the stream yields an element. Unread elements are merged into one.
    static func makeStream(
        of descriptor: consuming Descriptor, read: @escaping @Sendable (Int32) -> Bool
    ) -> AsyncStream<Void> {
        let source = Source(descriptor)
        return AsyncStream {
            while true {
                let number = source.descriptor.number
                let isReady = try? await EventLoop.shared.wait(for: .readable, on: number)
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
