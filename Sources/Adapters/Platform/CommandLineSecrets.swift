import Glibc

/// Tokens in the command line of this process, which other users of the computer can read in `/proc`.
public enum CommandLineSecrets {
    /// Overwrites the secrets of all arguments. `CommandLine.arguments` keeps the values.
    ///
    /// A program that passes a link on shows it again in the command line of the next program, and between its start
    /// and this call a reader can be faster.
    public static func hide() {
        // The first access copies the arguments.
        for index in CommandLine.arguments.indices {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let count = strlen(argument)
            let bytes = UnsafeMutableRawBufferPointer(start: argument, count: count)
            guard let start = secretStart(in: Array(bytes)) else { continue }
            for offset in start..<count { bytes[offset] = UInt8(ascii: "*") }
        }
    }

    /// Returns the offset from which an argument is secret: behind the question mark of a link, which may hold a
    /// token or an authorization code, or behind the prefix of a token; `nil` if there is no secret.
    static func secretStart(in argument: [UInt8]) -> Int? {
        if argument.starts(with: tokenPrefix) { return tokenPrefix.count }
        guard let mark = argument.firstIndex(of: UInt8(ascii: "?")), mark + 1 < argument.count,
            argument[..<mark].contains(UInt8(ascii: ":")),
            !argument[..<mark].contains(where: { $0 <= UInt8(ascii: " ") })
        else { return nil }
        return mark + 1
    }

    private static let tokenPrefix = Array("cutie_".utf8)
}
