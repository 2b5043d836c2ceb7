import Glibc
import Threads

/// Probes that conformance suites drive; not installed.
@main
enum Conformance {
    static func main() {
        EventLoop.shared.runProgram { await run(Array(CommandLine.arguments.dropFirst())) }
    }

    /// Returns the exit code.
    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            switch arguments.first {
            case "varlink": try await runVarlink(Array(arguments.dropFirst()))
            case "sse": try await runSSE(Array(arguments.dropFirst()))
            default: throw UsageError()
            }
            return 0
        } catch let error as UsageError {
            complain(error.description)
            return 64
        } catch {
            complain("conformance: \(error)")
            return 1
        }
    }

    private static func complain(_ sentence: String) {
        let line = Array((sentence + "\n").utf8)
        write(STDERR_FILENO, line, line.count)
    }
}
