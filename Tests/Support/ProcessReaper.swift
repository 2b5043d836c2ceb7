import Foundation

/// A guard process, which terminates the programs of a test run if the test run is killed. The guard is a
/// shell that reads the PIDs of the programs from a pipe until the pipe closes.
final class ProcessReaper: Sendable {
    static let shared = ProcessReaper()
    /// The pipe to the guard; `nil` if the guard could not be started. Without a guard, a killed test run
    /// leaves processes running.
    private let pipe: FileHandle?

    private init() {
        guard let pipe = try? Spawn.pipe(), let nothing = try? Spawn.open("/dev/null", O_WRONLY) else {
            self.pipe = nil
            return
        }
        let shell = try? Spawn.start(
            ["/bin/sh", "-c", Self.script], environment: [:], input: pipe.reading.fileDescriptor,
            output: nothing.fileDescriptor, error: nothing.fileDescriptor)
        self.pipe = shell == nil ? nil : pipe.writing
    }

    /// Reports to the guard that a process was started (`born`) or has exited (`gone`).
    func report(_ word: String, _ pid: Int32) {
        try? pipe?.write(contentsOf: Data("\(word) \(pid)\n".utf8))
    }

    private static let script = """
        living=' '
        while read -r word pid; do
            case $word in
            born) living="$living$pid " ;;
            gone) living="${living%%" $pid "*} ${living#*" $pid "}" ;;
            esac
        done
        for pid in $living; do kill -KILL "$pid"; done
        """
}
