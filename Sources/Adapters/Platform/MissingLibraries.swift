import CLinux
import Glibc
import Runtime

/// The shared libraries that cannot be loaded and therefore prevent a program from starting.
public struct MissingLibraries: Error, Hashable, Sendable {
    /// The names of the missing libraries, such as `libcurl.so.4`; empty if the dynamic linker reports
    /// another problem.
    let libraries: [String]
    /// The error message of the dynamic linker; empty if the dynamic linker exited with status 0.
    let problem: String

    /// Lists the libraries of `program` with the dynamic linker, without running the program. Returns `nil`
    /// if no library is missing, or if the dynamic linker cannot be run.
    public init?(of program: String) {
        guard let (status, output) = Self.runDynamicLinker(on: program) else { return nil }
        self.init(status: status, output: output)
    }

    /// Parses the output of the dynamic linker. For a missing library, the output contains the line
    /// `libcurl.so.4 => not found`; for a corrupt library, `PROGRAM: error while loading shared libraries:
    /// /usr/lib/libcurl.so.4: file too short`.
    init?(status: Int32, output: String) {
        let lines = output.split(separator: "\n")
        var libraries = lines.filter { $0.hasSuffix(" => not found") }
            .compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
        libraries += lines.lazy.compactMap(Self.parseDamagedLibrary).prefix(1)
        self.libraries = libraries
        problem = status == 0 ? "" : lines.last.map(String.init) ?? "status \(status)"
        if libraries.isEmpty && problem.isEmpty { return nil }
    }

    private static func parseDamagedLibrary(in line: Substring) -> String? {
        let fields = line.split(separator: ":")
        guard let label = fields.firstIndex(of: " error while loading shared libraries"),
            label + 1 < fields.count
        else { return nil }
        return fields[label + 1].split(whereSeparator: { $0 == "/" || $0 == " " }).last.map(String.init)
    }

    /// The Debian packages of the libraries that only `cutied-daemon` needs. Later releases renamed some
    /// packages to `...t64`, but these packages also provide the old name.
    static let packages = [
        "libcrypto.so.3": "libssl3", "libcurl.so.4": "libcurl4", "libgio-2.0.so.0": "libglib2.0-0",
        "libglib-2.0.so.0": "libglib2.0-0", "libgobject-2.0.so.0": "libglib2.0-0",
        "libsqlite3.so.0": "libsqlite3-0", "libssl.so.3": "libssl3", "libsystemd.so.0": "libsystemd0",
    ]

    /// An error message for the user.
    public var sentence: String {
        guard !libraries.isEmpty else { return "the daemon's libraries cannot be loaded: \(problem)" }
        return "the daemon cannot start without " + libraries.joined(separator: ", ")
    }

    /// A hint for the user, such as a command that installs the packages.
    public var advice: String {
        guard !libraries.isEmpty else { return "install the package of that library again" }
        let known = Set(libraries.compactMap { Self.packages[$0] }).sorted()
        let unknown = libraries.filter { Self.packages[$0] == nil }
        return
            [
                known.isEmpty ? nil : "type `sudo apt install " + known.joined(separator: " ") + "`",
                unknown.isEmpty
                    ? nil : "install the packages that contain " + unknown.joined(separator: ", "),
            ]
            .compactMap(\.self).joined(separator: ", and ")
    }

    /// Returns the exit status and the output of the dynamic linker; `nil` if it cannot be run.
    private static func runDynamicLinker(on program: String) -> (status: Int32, output: String)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let output = Descriptor(owning: ends[0])
        let pid: pid_t?
        do {
            let input = Descriptor(owning: ends[1])
            pid = spawnProcess(program, output: input.number)
        }
        guard let pid else { return nil }
        let bytes = output.read(atMost: 1 << 20) ?? []
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return (status, String(decoding: bytes, as: UTF8.self))
    }

    private static func spawnProcess(_ program: String, output: Int32) -> pid_t? {
        // See ld.so(8). The environment contains no locale, so the messages are in English and can be parsed.
        var environment = [strdup("LD_TRACE_LOADED_OBJECTS=1")]
        if let path = getenv("LD_LIBRARY_PATH") {
            environment.append(strdup("LD_LIBRARY_PATH=" + String(cString: path)))
        }
        environment.append(nil)
        var arguments = [strdup(program), nil]
        defer { (arguments + environment).forEach { free($0) } }
        var pid: pid_t = 0
        let error = clinux_spawn_detached(&arguments, &environment, -1, output, &pid)
        return error == 0 ? pid : nil
    }
}
