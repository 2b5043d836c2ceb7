import Foundation
import Synchronization

/// Starts processes. Foundation's `Process` lists the open files with a copy of `dirent` that reads past
/// the end of the directory's buffer: now and then the whole test run ends with SIGSEGV.
enum Spawn {
    private static let ends = Mutex<[Int32: Int32]>([:])

    /// How a child ended, as `waitpid` tells it; nil while it runs.
    static func end(of pid: Int32) -> Int32? { ends.withLock { $0[pid] } }

    /// Waits for it in a thread of its own: Swift Testing's exit tests ask for the end of any child, and as long
    /// as another one that has ended is there to be told of, they never hear of their own.
    private static func waitForEnd(of pid: Int32) {
        ends.withLock { $0[pid] = nil }
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { break } }
            ends.withLock { $0[pid] = status }
        }
    }

    /// Returns the process id. `command` begins with a path; the descriptors become 0, 1 and 2, and the
    /// process has no others: another test's pipe held open by it would never end.
    static func start(
        _ command: [String], environment: [String: String], input: Int32, output: Int32, error: Int32
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [input, output, error].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        for number in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, number) }
        // The threads of a thread pool block signals; what inherits that cannot be asked to end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pid: Int32 = 0
        let failure = vector(command) { arguments in
            vector(environment.map { $0 + "=" + $1 }) { environment in
                posix_spawn(&pid, command[0], &actions, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
        waitForEnd(of: pid)
        return pid
    }

    /// Opens a file that no other process inherits.
    static func open(_ path: String, _ flags: Int32) throws -> FileHandle {
        let number = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOENT) }
        return FileHandle(fileDescriptor: number, closeOnDealloc: true)
    }

    /// A pipe that no other process inherits.
    static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    private static func vector<Result>(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
