public import Config
import Glibc
public import Platform
public import Reasons

/// The user's own config file.
public struct ConfigurationFile: Hashable, Sendable {
    public let path: String
    /// The system-wide config file, which serves as a template if the user has no config file.
    private let fallback: String?
    private let home: String?

    public init(path: String, fallback: String? = nil, home: String? = nil) {
        (self.path, self.fallback, self.home) = (path, fallback, home)
    }

    /// Creates a reference to the user's own config file in this environment.
    public init(environment: [String: String]) {
        let paths = Paths(environment: environment)
        self.init(
            path: paths.userConfigurationFile,
            fallback: paths.configurationFiles.dropFirst().first { access($0, F_OK) == 0 },
            home: environment["HOME"])
    }

    /// Returns the text of the file for editing. If the file does not exist, returns the text of the
    /// system-wide file; if neither exists, creates a new configuration.
    ///
    /// - Throws: `SetupFailure`.
    public func readText() throws(SetupFailure) -> ConfigurationText {
        var existing = try readBytes(at: path)
        if existing == nil, let fallback { existing = try readBytes(at: fallback) }
        let text = try existing.map { bytes throws(SetupFailure) in
            guard bytes.count <= Configuration.sizeLimit,
                let text = String(validating: bytes, as: UTF8.self)
            else { throw .noConfigFile(path) }
            return text
        }
        return ConfigurationText(existing: text, file: path, home: home)
    }

    /// Applies all of `changes` or none, atomically. Returns the written change, which can be undone.
    @discardableResult
    public func apply(_ changes: [ConfigurationChange]) throws(SetupFailure) -> WrittenChange {
        try edit { text throws(ConfigurationError) in try text.apply(changes) }
    }

    /// Edits the text of the file and writes it, like `apply`.
    @discardableResult
    public func edit(
        _ body: (inout ConfigurationText) throws(ConfigurationError) -> Void
    ) throws(SetupFailure) -> WrittenChange {
        var text = try readText()
        do throws(ConfigurationError) { try body(&text) } catch { throw .refused(error) }
        let before = try readBytes(at: path)
        let after = Array(text.text.utf8)
        guard after.count <= Configuration.sizeLimit else { throw .noConfigFile(path) }
        if before != after { try writeBytes(after) }
        return WrittenChange(file: self, before: before, after: after)
    }

    fileprivate func writeBytes(_ bytes: [UInt8]) throws(SetupFailure) {
        do throws(SystemFailure) {
            let directory = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            _ = try PrivateDirectory(making: directory)
            try SmallFile.replace(path, with: bytes)
        } catch { throw .notWritten(error) }
    }

    /// Returns the content of the file; `nil` if it does not exist.
    fileprivate func readBytes(at path: String) throws(SetupFailure) -> [UInt8]? {
        do throws(SystemFailure) { return try SmallFile.read(path, sizeLimit: Configuration.sizeLimit) } catch
        {
            guard error.code == ENOENT else { throw .notRead(error) }
            return nil
        }
    }
}

/// A change that was written, with the previous content of the file.
public struct WrittenChange: Sendable {
    private let file: ConfigurationFile
    private let before: [UInt8]?
    private let after: [UInt8]

    fileprivate init(file: ConfigurationFile, before: [UInt8]?, after: [UInt8]) {
        (self.file, self.before, self.after) = (file, before, after)
    }

    /// Restores the previous content byte for byte, or deletes a new file. Does nothing if another program
    /// has changed the file since the change was written.
    public func undo() throws(SetupFailure) {
        guard before != after, try file.readBytes(at: file.path) == after else { return }
        if let before { return try file.writeBytes(before) }
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw .notWritten(SystemFailure(call: "remove " + file.path, code: errno))
        }
    }
}

/// The reason why the configuration was not changed. The file has its previous content.
public enum SetupFailure: Error, Hashable, Sendable {
    case notRead(SystemFailure)
    case notWritten(SystemFailure)
    /// The file is too large or not UTF-8.
    case noConfigFile(String)
    /// A value or a line of the file is invalid.
    case refused(ConfigurationError)
    /// The daemon rejected the configuration.
    case rejectedByDaemon(Reason)
}

extension SetupFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notRead(let failure): failure.description
        case .notWritten(let failure): "cannot write the config: \(failure)"
        case .noConfigFile(let path): "\(path) is not a config file; move it to another place"
        case .refused(let error): error.description
        case .rejectedByDaemon(let reason): reason.english
        }
    }
}
