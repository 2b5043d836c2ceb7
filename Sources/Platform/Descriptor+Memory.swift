import CLinux
import Glibc

extension Descriptor {
    /// Bytes to read from the first on, as many as there are: unlike a pipe it needs nobody who fills it.
    static func reading(_ bytes: [UInt8]) throws(SystemFailure) -> Descriptor {
        let file = try Descriptor(clinux_open_memory_file(), from: "memfd_create")
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
            guard count > 0 || (count < 0 && errno == EINTR) else { throw SystemFailure("write an input") }
            rest = rest.dropFirst(max(0, count))
        }
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemFailure("lseek") }
        return file
    }
}
