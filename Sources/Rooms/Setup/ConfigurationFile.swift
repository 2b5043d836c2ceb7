public import Config
import Glibc
public import Platform

/// The config file that is a person's own.
public struct ConfigurationFile: Hashable, Sendable {
    public let path: String
    /// What stands in its place until there is one: the machine's.
    private let fallback: String?
    private let home: String?

    public init(path: String, fallback: String? = nil, home: String? = nil) {
        (self.path, self.fallback, self.home) = (path, fallback, home)
    }

    /// The one that the daemon of this environment reads first.
    public init(environment: [String: String]) {
        let paths = Paths(environment: environment)
        self.init(
            path: paths.ownConfigurationFile,
            fallback: paths.configurationFiles.dropFirst().first { access($0, F_OK) == 0 },
            home: environment["HOME"])
    }

    /// What it holds, to be read and changed: that of the machine's where there is none, and a new text where
    /// there is none of these either. Throws a `SetupFailure`.
    public func text() throws(SetupFailure) -> ConfigurationText {
        var existing = try bytes(of: path)
        if existing == nil, let fallback { existing = try bytes(of: fallback) }
        let text = try existing.map { bytes throws(SetupFailure) in
            guard bytes.count <= Configuration.sizeLimit,
                let text = String(validating: bytes, as: UTF8.self)
            else { throw .noConfigFile(path) }
            return text
        }
        return ConfigurationText(existing: text, file: path, home: home)
    }

    /// Makes all of `changes` or none, at once for whoever reads the file. Returns the way back.
    @discardableResult
    public func apply(_ changes: [ConfigurationChange]) throws(SetupFailure) -> WrittenChange {
        try edit { text throws(ConfigurationError) in try text.apply(changes) }
    }

    /// As `apply`, for what `body` does to the text.
    @discardableResult
    public func edit(
        _ body: (inout ConfigurationText) throws(ConfigurationError) -> Void
    ) throws(SetupFailure) -> WrittenChange {
        var text = try text()
        do throws(ConfigurationError) { try body(&text) } catch { throw .refused(error) }
        let before = try bytes(of: path)
        let after = Array(text.text.utf8)
        guard after.count <= Configuration.sizeLimit else { throw .noConfigFile(path) }
        if before != after { try write(after) }
        return WrittenChange(file: self, before: before, after: after)
    }

    fileprivate func write(_ bytes: [UInt8]) throws(SetupFailure) {
        do throws(SystemFailure) {
            let directory = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            _ = try PrivateDirectory(making: directory)
            try SmallFile.replace(path, with: bytes)
        } catch { throw .notWritten(error) }
    }

    /// nil where there is no such file.
    fileprivate func bytes(of path: String) throws(SetupFailure) -> [UInt8]? {
        do throws(SystemFailure) { return try SmallFile.read(path, limit: Configuration.sizeLimit) } catch {
            guard error.code == ENOENT else { throw .notRead(error) }
            return nil
        }
    }
}

/// A change that is in the file, and what was there before.
public struct WrittenChange: Sendable {
    private let file: ConfigurationFile
    private let before: [UInt8]?
    private let after: [UInt8]

    fileprivate init(file: ConfigurationFile, before: [UInt8]?, after: [UInt8]) {
        (self.file, self.before, self.after) = (file, before, after)
    }

    /// Puts back what was there, to the byte; a file that was not there goes. What somebody else wrote since
    /// stays.
    public func undo() throws(SetupFailure) {
        guard before != after, try file.bytes(of: file.path) == after else { return }
        if let before { return try file.write(before) }
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw .notWritten(SystemFailure(call: "remove " + file.path, code: errno))
        }
    }
}

/// Why the configuration is not what it was to be. The file is as it was.
public enum SetupFailure: Error, Hashable, Sendable {
    case notRead(SystemFailure)
    case notWritten(SystemFailure)
    /// Too large, or not UTF-8.
    case noConfigFile(String)
    /// A value or a line of the file.
    case refused(ConfigurationError)
    /// The daemon does not take it; its sentence.
    case notTaken(String)
}

extension SetupFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notRead(let failure): failure.description
        case .notWritten(let failure): "cannot write the config: \(failure)"
        case .noConfigFile(let path): "\(path) is no config file; move it away"
        case .refused(let error): error.description
        case .notTaken(let sentence): sentence
        }
    }
}
