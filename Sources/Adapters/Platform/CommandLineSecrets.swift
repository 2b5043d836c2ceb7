import Glibc

/// Tokens in the command line of this process, which other users can read in `/proc`.
public enum CommandLineSecrets {
    /// Overwrites the secrets in all arguments in the memory that `/proc` shows. `CommandLine.arguments` is
    /// unchanged.
    ///
    /// The protection is incomplete: other users can read the arguments before this call, and a program that
    /// is started with a link as its argument exposes the link again.
    public static func hideInProcessList() {
        // The first access to `CommandLine.arguments` copies the arguments, so the copy has the original
        // values.
        for index in CommandLine.arguments.indices {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let count = strlen(argument)
            let bytes = UnsafeMutableRawBufferPointer(start: argument, count: count)
            guard let start = startOfSecret(in: Array(bytes)) else { continue }
            for offset in start..<count { bytes[offset] = UInt8(ascii: "*") }
        }
    }

    /// Returns the offset of the secret part of an argument; `nil` if there is none. The secret part is the
    /// query of a link, which may contain a token or an authorization code, or a token after its prefix.
    static func startOfSecret(in argument: [UInt8]) -> Int? {
        if argument.starts(with: tokenPrefix) { return tokenPrefix.count }
        guard let mark = argument.firstIndex(of: UInt8(ascii: "?")), mark + 1 < argument.count,
            argument[..<mark].contains(UInt8(ascii: ":")),
            !argument[..<mark].contains(where: { $0 <= UInt8(ascii: " ") })
        else { return nil }
        return mark + 1
    }

    private static let tokenPrefix = Array("cutie_".utf8)
}
