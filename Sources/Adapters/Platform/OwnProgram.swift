import Glibc

/// The program that this process runs.
public enum OwnProgram {
    /// Its file, also where it is not in PATH; nil where there is no /proc.
    public static var path: String? { path(of: "self") }

    /// Of any process. Where the program was replaced since, as an upgrade does, that is the new one's.
    static func path(of process: String) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &path, path.count)
        guard count > 0 else { return nil }
        let name = String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.hasSuffix(gone) ? String(name.dropLast(gone.count)) : name
    }

    /// What the kernel puts behind the name of a file that is not there any more.
    private static let gone = " (deleted)"
}
