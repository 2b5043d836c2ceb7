import Glibc

/// The paths of the user's files, according to the XDG base directory specification.
public struct Paths: Hashable, Sendable {
    /// The possible configuration files in order of precedence: the user's file, then the files of the
    /// system. The daemon reads only the first existing file.
    public let configurationFiles: [String]
    /// The directory of the database, the lock file and the secrets file.
    public let stateDirectory: String
    /// The directory of cached files.
    public let cacheDirectory: String
    /// The runtime directory (`XDG_RUNTIME_DIR`); `nil` if the session has no runtime directory.
    public let runtimeDirectory: String?
    private let socketOverride: String?
    private let accessSocketOverride: String?

    /// Creates the paths. If HOME or XDG_RUNTIME_DIR is not set, uses the home directory from passwd or
    /// `/run/user/<uid>`, respectively.
    public init(environment: [String: String]) {
        self.init(environment: environment, user: getuid(), isUserDirectory: Self.isUserDirectory)
    }

    init(environment: [String: String], user: uid_t, isUserDirectory: (String) -> Bool) {
        // Returns the value of a variable; `nil` if it is not an absolute path. The XDG specification
        // requires ignoring relative paths.
        func absolutePath(fromVariable name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let home = absolutePath(fromVariable: "HOME") ?? Self.homeDirectory(of: user) ?? "/"
        func baseDirectory(fromVariable name: String, default fallback: String) -> String {
            (absolutePath(fromVariable: name) ?? home + "/" + fallback) + "/cutied"
        }
        let machine = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").filter {
            $0.hasPrefix("/")
        }
        let shared = machine.isEmpty ? ["/etc/xdg"] : machine.map(String.init)
        configurationFiles =
            [baseDirectory(fromVariable: "XDG_CONFIG_HOME", default: ".config") + "/config.yaml"]
            + shared.map { $0 + "/cutied/config.yaml" }
        stateDirectory = baseDirectory(fromVariable: "XDG_STATE_HOME", default: ".local/state")
        cacheDirectory = baseDirectory(fromVariable: "XDG_CACHE_HOME", default: ".cache")
        let session = "/run/user/\(user)"
        runtimeDirectory =
            absolutePath(fromVariable: "XDG_RUNTIME_DIR") ?? (isUserDirectory(session) ? session : nil)
        socketOverride = environment.nonEmptyValue(named: "CUTIED_SOCKET")
        accessSocketOverride = environment.nonEmptyValue(named: "CUTIED_ACCESS_SOCKET")
    }

    /// The user's configuration file, which may not exist.
    public var userConfigurationFile: String { configurationFiles[0] }

    /// Returns the first configuration file that exists; `nil` if none exists.
    public func existingConfigurationFile() -> String? { configurationFiles.first { access($0, F_OK) == 0 } }

    /// Returns the path of the control socket: `CUTIED_SOCKET`, or a path in the runtime directory.
    public func controlSocketPath() throws(NoRuntimeDirectory) -> String {
        if let socketOverride { return socketOverride }
        guard let runtimeDirectory else { throw NoRuntimeDirectory() }
        return runtimeDirectory + "/cutied/control.sock"
    }

    /// Returns the path of the access socket: `CUTIED_ACCESS_SOCKET`, or a path in a separate directory of
    /// the runtime directory. The separate directory can be mounted into the sandbox of an app.
    public func accessSocketPath() throws(NoRuntimeDirectory) -> String {
        if let accessSocketOverride { return accessSocketOverride }
        guard let runtimeDirectory else { throw NoRuntimeDirectory() }
        return runtimeDirectory + "/cutied/access/access.sock"
    }

    public struct NoRuntimeDirectory: Error, Hashable, Sendable, CustomStringConvertible {
        public let sentence = "XDG_RUNTIME_DIR is not set"
        public let advice = "log in to a session, or set CUTIED_SOCKET to a path"
        public var description: String { sentence + "; " + advice }

        public init() {}
    }

    private static func isUserDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
    }

    private static func homeDirectory(of user: uid_t) -> String? {
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

extension [String: String] {
    /// Returns the value of an environment variable; `nil` if the variable is unset or empty.
    public func nonEmptyValue(named name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the environment contains an X11 or Wayland display.
    public var hasDisplay: Bool {
        nonEmptyValue(named: "DISPLAY") != nil || nonEmptyValue(named: "WAYLAND_DISPLAY") != nil
    }
}

/// The identity of a desktop session. Notification IDs are valid only within the same boot and on the same
/// session bus.
public struct SessionIdentity: Hashable, Sendable {
    /// The boot ID of the kernel; `nil` if /proc is not mounted.
    public let bootID: String?
    /// The address of the session bus; `nil` if the environment does not contain it.
    public let busAddress: String?

    public init(environment: [String: String]) {
        let bytes = try? SmallFile.read("/proc/sys/kernel/random/boot_id", sizeLimit: 64)
        bootID = bytes.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
        busAddress = environment.nonEmptyValue(named: "DBUS_SESSION_BUS_ADDRESS")
    }
}
