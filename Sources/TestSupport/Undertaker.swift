import Foundation

/// Ends the programs of a test run that is itself killed: a shell that reads who lives, until the pipe
/// from here closes.
final class Undertaker: Sendable {
    static let shared = Undertaker()
    private let pipe = Pipe()
    private let shell = SendableShell()

    private init() {
        shell.process.executableURL = URL(filePath: "/bin/sh")
        shell.process.arguments = ["-c", Self.script]
        shell.process.standardInput = pipe
        shell.process.standardOutput = FileHandle.nullDevice
        shell.process.standardError = FileHandle.nullDevice
        // Without it a killed test run leaves processes behind, and nothing else changes.
        try? shell.process.run()
    }

    /// `born` or `gone`.
    func tell(_ word: String, _ pid: pid_t) {
        try? pipe.fileHandleForWriting.write(contentsOf: Data("\(word) \(pid)\n".utf8))
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

/// `Process` is not Sendable; this one is not touched again after it runs.
private struct SendableShell: @unchecked Sendable {
    let process = Process()
}
