import Foundation

/// An example for app makers, and what runs it.
public enum MakerExample: String, CaseIterable, Sendable {
    case swift, python, shell

    /// Starts it, with `environment` and a path of programs.
    public func start(_ arguments: [String], environment: [String: String]) throws -> SpawnedProgram {
        let command = try command
        return try SpawnedProgram(
            command[0], command.dropFirst() + arguments,
            environment: environment.merging(["PATH": Self.path]) { $1 })
    }

    /// The program, and the arguments that come first.
    private var command: [String] {
        get throws {
            switch self {
            case .swift: [try BuiltProduct.path(of: "Answers")]
            case .python: [varlinkPython ?? "python3", Self.file("Python/answers.py")]
            case .shell: ["/bin/sh", Self.file("Shell/answers.sh")]
            }
        }
    }

    /// Below `Examples`.
    public static func file(_ name: String) -> String { URL(filePath: "Examples/" + name).path }

    /// systemd's varlinkctl where it is in the path; else the one of the tests stands in for it.
    private static var path: String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let isThere = path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/varlinkctl")
        }
        return isThere ? path : path + ":" + URL(filePath: "Tests/ExampleTests/Resources/bin").path
    }
}

/// A python with PyPI's `varlink`: the venv of `make deps`, or what `CUTIED_TEST_PYTHON` names.
public let varlinkPython: String? = {
    let chosen = ProcessInfo.processInfo.environment["CUTIED_TEST_PYTHON"]
    return [chosen, URL(filePath: ".build/venv/bin/python").path].compactMap(\.self)
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}()
