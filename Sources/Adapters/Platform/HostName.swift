import Glibc

/// What this machine calls itself.
public enum HostName {
    /// `laptop`, without its domain; `linux` where it has no name.
    public static var current: String {
        var name = [CChar](repeating: 0, count: 256)
        let failed = gethostname(&name, name.count - 1)
        let bytes = name.map(UInt8.init(bitPattern:))
        let first = String(decoding: bytes.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }, as: UTF8.self)
        return failed != 0 || first.isEmpty ? "linux" : first
    }
}
