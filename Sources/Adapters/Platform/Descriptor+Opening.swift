import CLinux
import Glibc
import Threads

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
