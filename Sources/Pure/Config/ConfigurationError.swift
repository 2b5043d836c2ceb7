/// What is wrong in the config, where, and what to do.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// The path of the file, or `environment`.
    public var file: String
    /// From 1; nil where it is about the whole file or the environment.
    public var line: Int?
    public var column: Int?
    /// The key with the keys around it (`notifications.preview`); nil where it is about none.
    public var key: String?
    /// What is wrong; what to do.
    public var sentence: String

    public init(file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.sentence = sentence
    }
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        file + (line.map { ":\($0)" } ?? "") + ": " + (key.map { $0 + ": " } ?? "") + sentence
    }
}
