import Glibc

/// The program that this process runs.
public enum OwnProgram {
    /// Its file, also where it is not in PATH; nil where there is no /proc.
    public static var path: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return nil }
        return String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
