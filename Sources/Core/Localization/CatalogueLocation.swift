import Glibc

/// The directory of the translations.
enum CatalogueLocation {
    /// The value of `CUTIED_LOCALE_DIR`. If the variable is unset or empty, `share/locale` in the
    /// installation prefix of the running program.
    static var directory: String {
        if let named = getenv("CUTIED_LOCALE_DIR"), named.pointee != 0 { return String(cString: named) }
        return directory(forExecutable: executable ?? "/usr/bin/cutied")
    }

    /// Returns `PREFIX/share/locale` for the executable `PREFIX/bin/PROGRAM` or
    /// `PREFIX/libexec/cutied/PROGRAM`.
    static func directory(forExecutable executable: String) -> String {
        let directory = executable.split(separator: "/").dropLast()
        let depth = directory.suffix(2) == ["libexec", "cutied"] ? 2 : 1
        let prefix = directory.dropLast(depth).map { "/" + $0 }.joined()
        return prefix + "/share/locale"
    }

    private static var executable: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        guard length > 0, length < buffer.count else { return nil }
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
