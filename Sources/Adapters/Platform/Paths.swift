import Glibc

/// Where the files of this person's daemon are, by the XDG base directory specification.
public struct Paths: Hashable, Sendable {
    /// Config files, the first that exists counts: the person's, then the machine's.
    public let configurationFiles: [String]
    /// Holds the database, the lock and, without a secret service, secrets.
    public let stateDirectory: String
    /// Holds what can be fetched again.
    public let cacheDirectory: String
    /// nil where the session has no directory for it.
    public let runtimeDirectory: String?
    private let socketOverride: String?
    private let accessSocketOverride: String?

    /// Where the environment does not say, the passwd entry of the process's user and `/run/user/<uid>` do.
    public init(environment: [String: String]) {
        self.init(environment: environment, user: getuid(), isOwnDirectory: Self.isOwnDirectory)
    }

    init(environment: [String: String], user: uid_t, isOwnDirectory: (String) -> Bool) {
        // Relative paths are to be ignored, says the specification.
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let home = absolute("HOME") ?? Self.home(of: user) ?? "/"
        func base(_ name: String, _ fallback: String) -> String {
            (absolute(name) ?? home + "/" + fallback) + "/cutied"
        }
        let machine = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").filter {
            $0.hasPrefix("/")
        }
        let shared = machine.isEmpty ? ["/etc/xdg"] : machine.map(String.init)
        configurationFiles =
            [base("XDG_CONFIG_HOME", ".config") + "/config.yaml"] + shared.map { $0 + "/cutied/config.yaml" }
        stateDirectory = base("XDG_STATE_HOME", ".local/state")
        cacheDirectory = base("XDG_CACHE_HOME", ".cache")
        let session = "/run/user/\(user)"
        runtimeDirectory = absolute("XDG_RUNTIME_DIR") ?? (isOwnDirectory(session) ? session : nil)
        socketOverride = environment.value(of: "CUTIED_SOCKET")
        accessSocketOverride = environment.value(of: "CUTIED_ACCESS_SOCKET")
    }

    /// The one a person edits, whether or not it exists.
    public var ownConfigurationFile: String { configurationFiles[0] }

    /// The config file in force; nil where there is none.
    public func configurationFile() -> String? { configurationFiles.first { access($0, F_OK) == 0 } }

    /// Where the daemon listens: `CUTIED_SOCKET`, else in the session's own directory.
    public func controlSocket() throws(NoRuntimeDirectory) -> String {
        if let socketOverride { return socketOverride }
        guard let runtimeDirectory else { throw NoRuntimeDirectory() }
        return runtimeDirectory + "/cutied/control.sock"
    }

    /// Where apps reach it: `CUTIED_ACCESS_SOCKET`, else in a directory of its own, which a sandbox can be given.
    public func accessSocket() throws(NoRuntimeDirectory) -> String {
        if let accessSocketOverride { return accessSocketOverride }
        guard let runtimeDirectory else { throw NoRuntimeDirectory() }
        return runtimeDirectory + "/cutied/access/access.sock"
    }

    public struct NoRuntimeDirectory: Error, Hashable, Sendable, CustomStringConvertible {
        public let description =
            "XDG_RUNTIME_DIR is not set; log in through a session, or set CUTIED_SOCKET to a path"
    }

    private static func isOwnDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
    }

    private static func home(of user: uid_t) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { space in
            let buffer = space.bindMemory(to: CChar.self)
            guard let start = buffer.baseAddress,
                getpwuid_r(user, &entry, start, buffer.count, &found) == 0, found != nil,
                let home = entry.pw_dir
            else { return nil }
            return String(cString: home)
        }
    }
}

/// Of an environment.
extension [String: String] {
    /// The value of a variable; nil where it is not set or empty.
    public func value(of name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether it names a display, to show a window on.
    public var hasDisplay: Bool { value(of: "DISPLAY") != nil || value(of: "WAYLAND_DISPLAY") != nil }
}

/// What tells one session from the next: the ids of a notification server mean nothing after a restart of
/// the machine, or on another bus.
public struct SessionIdentity: Hashable, Sendable {
    /// Of the running kernel; nil where there is no /proc.
    public let bootID: String?
    /// nil where the environment names no session bus.
    public let busAddress: String?

    public init(environment: [String: String]) {
        let bytes = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
        bootID = bytes.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
        busAddress = environment.value(of: "DBUS_SESSION_BUS_ADDRESS")
    }
}
