import Glibc
import Runtime

/// The lock that prevents a second daemon with the same state directory. The lock is released when the
/// value is destroyed, or by the kernel when the process exits.
public struct StateLock: ~Copyable, Sendable {
    private let file: Descriptor

    /// Acquires the lock of the state directory. Throws `held` if another daemon holds the lock.
    public init(in directory: PrivateDirectory) throws(StateLockError) {
        file = try Self.acquireLock(at: directory.path + "/lock")
    }

    private static func acquireLock(at path: String) throws(StateLockError) -> Descriptor {
        do throws(SystemFailure) {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
            let file = try Descriptor(open(path, flags, 0o600), resultOf: "open " + path)
            let deadline = ContinuousClock.now + releaseTimeout
            while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
                if errno == EINTR { continue }
                let failure = SystemFailure("lock " + path)
                guard failure.code == EWOULDBLOCK, !isHolderRunning(ofLockAt: path),
                    ContinuousClock.now < deadline
                else { throw failure }
                usleep(10_000)
            }
            let pid = Array("\(getpid())\n".utf8)
            guard ftruncate(file.number, 0) == 0, pwrite(file.number, pid, pid.count, 0) == pid.count else {
                throw SystemFailure("write " + path)
            }
            return file
        } catch {
            throw error.code == EWOULDBLOCK ? .held(by: readHolderProcessID(ofLockAt: path)) : .failed(error)
        }
    }

    /// The maximum time to wait for the lock. If the previous daemon was killed while starting a child
    /// process, the child process holds the lock until it calls `exec`.
    private static let releaseTimeout = Duration.seconds(5)

    private static func isHolderRunning(ofLockAt path: String) -> Bool {
        guard let pid = readHolderProcessID(ofLockAt: path) else { return true }
        return kill(pid, 0) == 0 || errno != ESRCH
    }

    private static func readHolderProcessID(ofLockAt path: String) -> Int32? {
        guard let bytes = try? SmallFile.read(path, sizeLimit: 32) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

public enum StateLockError: Error, Hashable, Sendable {
    /// Another daemon holds the lock. The value is the process ID of that daemon; `nil` if unknown.
    case held(by: Int32?)
    case failed(SystemFailure)
}

extension StateLockError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .held(let pid):
            "cutied is already running" + (pid.map { ", as process \($0)" } ?? "")
                + "; stop it first, for example with `systemctl --user stop cutied`"
        case .failed(let failure):
            "the state directory cannot be locked (\(failure)); correct its permissions"
        }
    }
}
