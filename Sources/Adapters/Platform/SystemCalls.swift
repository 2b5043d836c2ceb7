import CLinux
import Glibc
import Threads

/// A system call that failed.
public struct SystemFailure: Error, Hashable, Sendable {
    /// The call and what it was about, such as `open /etc/hosts`.
    public let call: String
    /// Its errno.
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
    /// Throws where `number` is negative: the call that should have made it failed.
    init(_ number: Int32, from call: @autoclosure () -> String) throws(SystemFailure) {
        guard number >= 0 else { throw SystemFailure(call()) }
        self.init(owning: number)
    }

    /// Bytes to read from the first on, as many as there are: unlike a pipe it needs nobody who fills it.
    static func reading(_ bytes: [UInt8]) throws(SystemFailure) -> Descriptor {
        let file = try Descriptor(clinux_open_memory_file(), from: "memfd_create")
        guard file.write(bytes) else { throw SystemFailure("write an input") }
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemFailure("lseek") }
        return file
    }
}

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
