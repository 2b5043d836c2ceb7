import Foundation

/// An example program for app developers.
public enum DeveloperExample: String, CaseIterable, Sendable {
    case swift, python, shell

    /// Starts the example with `environment` and with the `PATH` that the examples need.
    public func start(_ arguments: [String], environment: [String: String]) throws -> SpawnedProgram {
        let command = try command
        return try SpawnedProgram(
            command[0], command.dropFirst() + arguments,
            environment: environment.merging(["PATH": Self.path]) { $1 })
    }

    /// The program and its fixed arguments.
    private var command: [String] {
        get throws {
            switch self {
            case .swift: [try BuiltProduct.path(of: "Answers")]
            case .python: [varlinkPython ?? "python3", Self.file("Python/answers.py")]
            case .shell: ["/bin/sh", Self.file("Shell/answers.sh")]
            }
        }
    }

    /// Returns the path of a file in `Examples`.
    public static func file(_ name: String) -> String { URL(filePath: "Examples/" + name).path }

    /// The `PATH` for the examples. If systemd's varlinkctl is not installed, the path contains a
    /// replacement.
    private static var path: String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let isThere = path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/varlinkctl")
        }
        return isThere ? path : path + ":" + URL(filePath: "Tests/ExampleTests/Resources/bin").path
    }
}

/// The path of a Python interpreter with the PyPI package `varlink`, from `CUTIED_TEST_PYTHON` or from
/// `make deps`; `nil` if there is no such interpreter.
public let varlinkPython: String? = {
    let chosen = ProcessInfo.processInfo.environment["CUTIED_TEST_PYTHON"]
    return [chosen, URL(filePath: ".build/venv/bin/python").path].compactMap(\.self)
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}()
