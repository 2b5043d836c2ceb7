import Glibc

/// Probes that conformance suites drive; not installed.
@main
enum Conformance {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "varlink": try await runVarlink(Array(arguments.dropFirst()))
            case "sse": try await runSSE(Array(arguments.dropFirst()))
            default: throw UsageError()
            }
        } catch let error as UsageError {
            complain(error.description)
            exit(64)
        } catch {
            complain("conformance: \(error)")
            exit(1)
        }
    }

    private static func complain(_ sentence: String) {
        let line = Array((sentence + "\n").utf8)
        write(STDERR_FILENO, line, line.count)
    }
}
