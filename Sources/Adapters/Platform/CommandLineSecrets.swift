import Glibc

/// Protection of the tokens in the command line of this process, which other users can read in `/proc`.
public enum CommandLineSecrets {
    /// Overwrites the secrets in the command line that `/proc` shows. Does not change
    /// `CommandLine.arguments`.
    ///
    /// The protection is incomplete: other users can read the secrets before this call. They can also read
    /// the command line of a program that this process starts to open a link.
    public static func hideInProcessList() {
        // Access `CommandLine.arguments` first, which copies the original arguments.
        for index in CommandLine.arguments.indices {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let count = strlen(argument)
            let bytes = UnsafeMutableRawBufferPointer(start: argument, count: count)
            guard let start = startOfSecret(in: Array(bytes)) else { continue }
            for offset in start..<count { bytes[offset] = UInt8(ascii: "*") }
        }
    }

    /// Returns the offset of the secret in an argument; `nil` if the argument contains no secret. In a link,
    /// the secret is the query, which may contain a token or an authorization code; in an argument that is a
    /// token, the secret is the text after the prefix.
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
