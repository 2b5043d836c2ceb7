import Config
import CutieAPI
import Glibc
import TestSupport

@testable import Identity

/// A temporary state directory, with access to the content of the secrets file.
struct StateDirectory {
    let directory: TemporaryDirectory
    var file: SecretFile { SecretFile(directory: directory.path, credential: nil) }
    var path: String { file.path }

    init() throws { directory = try TemporaryDirectory() }

    func sealed(_ bytes: [UInt8] = Array(repeating: 7, count: 32)) -> SecretFile {
        SecretFile(directory: directory.path, credential: SealingCredential(bytes: bytes))
    }

    func entries() throws -> [SecretName: SecretEntry] { try file.read().entries.byName }

    func mode() -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

extension SecretName {
    static func token(_ account: String = "default", at origin: String = "https://api.cuti-e.com") -> Self {
        SecretName(account: account, origin: origin, type: .deviceToken, subject: "device_1")
    }
}

extension Secret {
    init(_ text: String) { self.init(Array(text.utf8)) }
}

extension SecretStore {
    /// Creates a store with short timeouts, so that tests with services that do not respond are fast.
    init(
        _ choice: Configuration.SecretStorage, at state: StateDirectory, limit: Duration = defaultTimeLimit,
        promptLimit: Duration = defaultTimeLimit
    ) {
        // The helper is part of the program `cutied-daemon`, so the test program cannot run it.
        let program = (try? BuiltProduct.path(of: "cutied-daemon")) ?? ""
        let service = SecretService(limit: limit, promptLimit: promptLimit, program: program)
        self.init(choice, state.file, keyring: service)
    }
}

/// Runs `body` with a private session bus. Call this function only in an exit test, because GIO supports one
/// session bus per process.
func withPrivateBus(_ body: (PrivateBus, StateDirectory) async throws -> Void) async throws {
    let bus = try await PrivateBus()
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
    try await body(bus, StateDirectory())
}

func withKeyring(_ body: (Keyring, StateDirectory) async throws -> Void) async throws {
    try await withPrivateBus { bus, state in try await body(Keyring(on: bus), state) }
}

/// Returns the error that `body` throws; `nil` if it throws no error.
func failure(of body: () async throws(SecretFailure) -> Void) async -> SecretFailure? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}
