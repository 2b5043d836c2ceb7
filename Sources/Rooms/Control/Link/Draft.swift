import Platform

/// Words that could not be handed over, kept in a file: nobody types them twice.
enum Draft {
    /// Returns the file. Throws `SystemFailure` where it cannot be written.
    static func keep(_ text: String, environment: [String: String], now: Int64) throws -> String {
        let directory = try PrivateDirectory(
            making: Paths(environment: environment).stateDirectory + "/drafts")
        let file = directory.path + "/reply-\(now).txt"
        try SmallFile.replace(file, with: Array((text + "\n").utf8))
        return file
    }
}
