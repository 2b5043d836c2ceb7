import Glibc

/// An open file descriptor, closed with the value.
public struct Descriptor: ~Copyable, Sendable {
    public let number: Int32

    public init(owning number: Int32) { self.number = number }

    /// The number without the duty to close it, which is the caller's now.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit { close(number) }
}

extension Descriptor {
    /// What is there to its end, at most `limit` bytes. Nil and `errno` on failure.
    public func read(atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
        while bytes.count < limit {
            let count = Glibc.read(number, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Writes all of `bytes`. False and `errno` on failure.
    public func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
