import Foundation
import Synchronization

/// Functions that start processes without Foundation's `Process`, which sometimes crashes with SIGSEGV: while
/// it lists open files, it copies a `dirent` beyond the end of the directory buffer.
enum Spawn {
    private static let ends = Mutex<[Int32: Int32]>([:])

    /// Returns the status that `waitpid` returned for a child process; `nil` while the child is running.
    static func waitStatus(of pid: Int32) -> Int32? { ends.withLock { $0[pid] } }

    /// Starts a thread that reaps the child process. Children must be reaped, because the exit tests of Swift
    /// Testing wait for any child: an unreaped child would hide the exit of the exit test's own child.
    private static func waitForEnd(of pid: Int32) {
        ends.withLock { $0[pid] = nil }
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { break } }
            ends.withLock { $0[pid] = status }
        }
    }

    /// Starts a process and returns its PID.
    ///
    /// The first element of `command` is a path. The descriptors become standard input, output and error. The
    /// process inherits no other descriptors, because an inherited write end of a pipe would prevent end of
    /// file in another test.
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
        // Resets the signal mask: the threads of a thread pool block signals, and a child process that
        // inherited their mask could not be terminated by a signal.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pid: Int32 = 0
        let failure = withCStringArray(command) { arguments in
            withCStringArray(environment.map { $0 + "=" + $1 }) { environment in
                posix_spawn(&pid, command[0], &actions, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
        waitForEnd(of: pid)
        return pid
    }

    /// Sends SIGSTOP to a process and waits until all its threads have stopped. On a busy machine, a thread may
    /// still run for a while after `kill` returned, and could still answer a request.
    static func suspend(_ pid: Int32) async throws {
        kill(pid, SIGSTOP)
        let threads = "/proc/\(pid)/task"
        try await eventually("the stop of process \(pid)") {
            try FileManager.default.contentsOfDirectory(atPath: threads).allSatisfy { thread in
                // A thread that has ended since the directory was read has no file.
                let status = try? String(contentsOfFile: "\(threads)/\(thread)/stat", encoding: .utf8)
                return status?.split(separator: ") ").last?.first == "T"
            }
        }
    }

    /// Opens a file. Its descriptor is not inherited by other processes.
    static func open(_ path: String, _ flags: Int32) throws -> FileHandle {
        let number = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOENT) }
        return FileHandle(fileDescriptor: number, closeOnDealloc: true)
    }

    /// Creates a pipe. Its descriptors are not inherited by other processes.
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

    private static func withCStringArray<Result>(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
